/// The look of a page.
enum PageStyle {
    /// The SHA-256 of ``sheet`` in base64. The content security policy of a page allows only this style sheet.
    static let hash = "qN0HVEuV/5D0lq7qntbc8ksTjZ+6hyZWNtvFS83J6jo="

    /// The style sheet: dark only on a screen that asks for it, and with both columns below each other on a phone.
    static let sheet: StaticString = """

        :root {
          --page: #ffffff; --text: #1f2328; --quiet: #57606a; --line: #d0d7de; --box: #f6f8fa;
          --added: #dafbe1; --removed: #ffebe9; --changed: #fff8c5; --moved: #ddf4ff;
          --good: #116329; --bad: #a40e26; --doubt: #7d4e00;
          color-scheme: light;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --page: #0d1117; --text: #e6edf3; --quiet: #9da7b1; --line: #3d444d; --box: #161b22;
            --added: #0f3020; --removed: #43191c; --changed: #3a2f0b; --moved: #0d2f4f;
            --good: #56d364; --bad: #ff8b85; --doubt: #e3b341;
            color-scheme: dark;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 76rem;
          background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
          overflow-wrap: anywhere;
        }
        h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .5rem; }
        h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
        summary { cursor: pointer; margin: 0 -.75rem; padding: .5rem .75rem; }
        summary h2 { display: inline; margin: 0; font-size: 1rem; }
        summary:focus-visible { outline: 3px solid var(--moved); outline-offset: 2px; }
        details { margin: 1rem 0; padding: 0 .75rem; border: 1px solid var(--line); border-radius: .4rem; }
        details[open] { padding-bottom: .5rem; }
        ul { padding-left: 1.25rem; margin: .5rem 0; }
        ul.plain { list-style: none; padding: 0; }
        blockquote { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line); color: var(--quiet); }
        table { width: 100%; border-collapse: collapse; table-layout: fixed; margin: .5rem 0; }
        th { text-align: left; font-weight: 600; color: var(--quiet); padding: .25rem .5rem; }
        th.sign, td.sign { width: 2rem; text-align: center; font-weight: 700; }
        td { vertical-align: top; padding: .3rem .5rem; border: 1px solid var(--line); }
        td, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
        .added { background: var(--added); }
        .removed { background: var(--removed); }
        .changed { background: var(--changed); }
        .moved { background: var(--moved); }
        td:empty { background: var(--page); }
        .origin { display: block; color: var(--quiet); font-size: .8125rem; }
        .outcome, .message { font-weight: 700; }
        .good { color: var(--good); }
        .bad { color: var(--bad); }
        .doubt { color: var(--doubt); }
        ol.chain { list-style: none; display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; margin: 1rem 0; }
        ol.chain li { border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .6rem; background: var(--box); }
        ol.chain li.quiet { color: var(--quiet); }
        pre { overflow-x: auto; background: var(--box); border: 1px solid var(--line); padding: .75rem; line-height: 1.3; }
        dl.legend { display: grid; grid-template-columns: 1.5rem 1fr; gap: .15rem .5rem; margin: .5rem 0; }
        dl.legend dt { font-weight: 700; text-align: center; }
        dl.legend dd { margin: 0; }
        footer { border-top: 1px solid var(--line); margin-top: 2rem; color: var(--quiet); font-size: .875rem; }
        @media screen and (max-width: 40em) {
          table, tbody, tr, td { display: block; width: 100%; }
          thead { display: none; }
          tr { border: 1px solid var(--line); margin-bottom: .5rem; }
          td { border: 0; }
          td:empty { display: none; }
          td.sign { width: 100%; text-align: left; padding-bottom: 0; }
          td.sign::after { content: " " attr(title); font-weight: 400; }
          td.before::before { content: "before "; color: var(--quiet); }
          td.after::before { content: "after "; color: var(--quiet); }
        }
        @media print {
          body { max-width: none; padding: 0; }
          details::details-content { display: block; content-visibility: visible; }
          pre { white-space: pre-wrap; }
          tr, pre, li { break-inside: avoid; }
          summary { break-after: avoid; }
        }

        """
}
