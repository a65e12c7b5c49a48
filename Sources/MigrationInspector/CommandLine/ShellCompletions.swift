import DisplayText
import DocumentModel

/// Scripts that complete the command line in a shell, generated from the same tables as the help.
struct ShellCompletions {
    /// The name of the program.
    let program: String
    /// The names of the chains.
    let chains: [String]

    /// Returns the script for a shell.
    func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The name of the function that completes words.
    private var function: String {
        "_" + program.escaping { $0.isWordInShell ? nil : "_" }
    }

    private static let names = Command.allCases.map(\.rawValue)

    // MARK: - bash

    private var bash: String {
        let options = Command.allCases.map { command in
            "            \(command.rawValue)) words=(\(command.options.map(\.name).joined(separator: " "))) ;;"
        }
        var values: [String] = []
        for command in Command.allCases {
            for option in command.options {
                guard let known = option.values(for: command, chains: chains) else { continue }
                values.append("        \(command.rawValue):\(option.name)) \(Self.bash(known)) ;;")
            }
        }
        let arguments = Command.allCases.map { command in
            let words = command.arguments(chains: chains).map(Self.bash) ?? "files="
            return "            \(command.rawValue)) \(words) ;;"
        }
        return """
            # Completions of \(program) for bash.
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=inspect
                local files= list= ended= known words=()
                # --option=VALUE comes as three words.
                if [[ $word == = ]]; then
                    word=
                elif [[ $before == = ]]; then
                    before=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                if ((COMP_CWORD > 1)); then
                    case ${COMP_WORDS[1]} in
                    \(Self.names.joined(separator: " | "))) command=${COMP_WORDS[1]} ;;
                    esac
                fi
                for known in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    [[ $known == -- ]] && ended=1
                done
                case ${ended:-$command:$before} in
            \(values.joined(separator: "\n"))
                *)
                    if [[ -z $ended && $word == -* ]]; then
                        case $command in
            \(options.joined(separator: "\n"))
                        esac
                    else
                        case $command in
            \(arguments.joined(separator: "\n"))
                        esac
                        if ((COMP_CWORD == 1)); then words+=(\(Self.names.joined(separator: " "))); fi
                    fi
                    ;;
                esac
                COMPREPLY=()
                local begun= quoted
                if [[ $list && $word == *,* ]]; then begun=${word%,*},; fi
                for known in "${words[@]}"; do
                    [[ $begun && ,$begun == *,"$known",* ]] && continue
                    # Behind a quotation mark, bash puts what completes the word there, and closes it.
                    case $word in
                    \\'*) quoted=${known//\\'/\\'\\\\\\'\\'} ;;
                    \\"*) quoted=$(sed 's/["$`\\\\]/\\\\&/g' <<< "$known") ;;
                    *) quoted=$(printf %q "$known") ;;
                    esac
                    if [[ $begun$quoted == "${word#[\\"\\']}"* || $begun$known == "$word"* ]]; then
                        COMPREPLY+=("$begun$quoted")
                    fi
                done
                if [[ $files ]]; then
                    compopt -o filenames
                    while IFS= read -r known; do COMPREPLY+=("$known"); done < <(compgen -f -- "$word")
                fi
            }
            complete -F \(function) \(program.quotedForShell)
            """
    }

    private static func bash(_ values: OptionValues) -> String {
        switch values {
        case .words(let words): "words=(\(words.map(\.quotedForShell).joined(separator: " ")))"
        case .list(let words): "list=1 words=(\(words.map(\.quotedForShell).joined(separator: " ")))"
        case .files: "files=1"
        case .any: "words=()"
        }
    }

    // MARK: - zsh

    /// The name of the function, and of the file in which zsh looks for it.
    private var autoloaded: String {
        "_" + program.escaping { $0.isWordInShell || $0 == "-" || $0 == "." ? nil : "_" }
    }

    private var zsh: String {
        let commands = Command.allCases.map { "        \("\($0.rawValue):\($0.summary)".quotedForShell)" }
        let cases = Command.allCases.map { command in
            let options = command.options.map { zsh($0, of: command) }
            let arguments = command.arguments(chains: chains).map { "'*:argument:\(Self.zsh($0))'" }
            let specs = (options + [arguments].compactMap(\.self)).map { "            \($0)" }.joined(
                separator: " \\\n")
            return "    \(command.rawValue))\n        _arguments -S -s : \\\n\(specs)\n        ;;"
        }
        return """
            #compdef \(program)
            # Completions of \(program) for zsh.
            \(autoloaded)() {
                local -a commands
                commands=(
            \(commands.joined(separator: "\n"))
                )
                local command=inspect
                if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
                    _describe -t commands command commands
                    _files
                    return
                fi
                case $words[2] in
                \(Self.names.joined(separator: " | ")))
                    command=$words[2]
                    shift words
                    ((CURRENT--))
                    ;;
                esac
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            # Found by compinit in a folder of fpath, and called for the first time; or sourced.
            if [[ $funcstack[1] == \(autoloaded) ]]; then
                \(autoloaded) "$@"
            else
                compdef \(autoloaded) \(program.quotedForShell)
            fi
            """
    }

    private func zsh(_ option: Option, of command: Command) -> String {
        let meaning = option.meaning(for: command).escaping { "[]:\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
        let repeated = option.isRepeatable ? "*" : ""
        guard let values = option.values(for: command, chains: chains) else {
            return "\(repeated)\(option.name)[\(meaning)]".quotedForShell
        }
        let spec = "\(repeated)\(option.name)=[\(meaning)]:\(option.value ?? ""):"
        return spec.quotedForShell + "'\(Self.zsh(values))'"
    }

    /// Returns the action that completes a value, for use inside single quotation marks.
    private static func zsh(_ values: OptionValues) -> String {
        func escaped(_ word: String) -> String {
            word.escaping { scalar in
                switch scalar {
                case _ where scalar.isWordInShell: nil
                case "'": #"\'\''"#
                // A backslash before a newline removes both.
                case "\n": #"$'\''\n'\''"#
                default: "\\\(scalar)"
                }
            }
        }
        return switch values {
        case .words(let words): "(\(words.map(escaped).joined(separator: " ")))"
        case .list(let words): "{_values -s , kind \(words.map(escaped).joined(separator: " "))}"
        case .files: "_files"
        case .any: ""
        }
    }

    // MARK: - fish

    private var fish: String {
        let name = Self.fish(program)
        var lines = ["# Completions of \(program) for fish."]
        let others = Self.names.filter { $0 != Command.inspect.rawValue }.joined(separator: " ")
        for command in Command.allCases {
            let summary = Self.fish(command.summary)
            lines.append("complete -c \(name) -n __fish_use_subcommand -a \(command.rawValue) -d \(summary)")
        }
        for command in Command.allCases {
            let condition =
                command == .inspect
                ? "not __fish_seen_subcommand_from \(others)" : "__fish_seen_subcommand_from \(command.rawValue)"
            let start = "complete -c \(name) -n \(Self.fish(condition))"
            for option in command.options {
                let meaning = Self.fish(option.meaning(for: command))
                let values = option.values(for: command, chains: chains).map { Self.fish($0) + " " } ?? ""
                lines.append("\(start) -l \(option.rawValue) \(values)-d \(meaning)")
            }
            switch command.arguments(chains: chains) {
            case .words(let words): lines.append("\(start) -f -a \(Self.fish(words))")
            case nil: lines.append("\(start) -f")
            case .files, .list, .any: break
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func fish(_ values: OptionValues) -> String {
        switch values {
        case .words(let words): "-x -a \(fish(words))"
        case .list(let words): "-x -a \(fish("(__fish_append , \(words.joined(separator: " ")))"))"
        case .files: "-r -F"
        case .any: "-x"
        }
    }

    /// Returns words for `-a`, which fish splits again. Words with a tab are left out, because fish treats the text
    /// after a tab as a description.
    private static func fish(_ words: [String]) -> String {
        fish(words.filter { !$0.utf8.contains(UInt8(ascii: "\t")) }.map { fish($0) }.joined(separator: " "))
    }

    /// Quotes a word. Inside the quotation marks, fish has two escapes.
    private static func fish(_ text: String) -> String {
        "'" + text.escaping { $0 == "'" || $0 == "\\" ? "\\\($0)" : nil } + "'"
    }
}

extension Unicode.Scalar {
    /// Whether the character has no special meaning to any shell.
    fileprivate var isWordInShell: Bool { isASCII && (properties.isAlphabetic || ("0"..."9").contains(self)) }
}
