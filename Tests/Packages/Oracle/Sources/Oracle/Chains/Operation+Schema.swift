extension Operation {
    /// Changes the fields of a version as the operation does.
    func reshape(_ schema: inout Schema) { schema.change(scope[...], verb.reshape) }
}

extension Operation.Verb {
    fileprivate func reshape(_ schema: inout Schema) {
        func leaf(_ name: String, _ kind: Kind) { schema[name] = Field(name: name, shape: .leaf(kind)) }
        func change(_ list: String, _ body: (inout Schema) -> Void) { schema.change([list], body) }
        switch self {
        case .rename(let name, let new):
            guard var field = schema[name] else { return }
            schema[name] = nil
            field.name = new
            schema[new] = field
        case .moveIn(let name, let target):
            let field = schema[name]
            schema[name] = nil
            if schema[target] == nil { schema[target] = Field(name: target, shape: .object(Schema())) }
            change(target) { $0[name] = field }
        case .moveOut(let name, let source):
            let field = schema[source]?.shape.schema?[name]
            change(source) { $0[name] = nil }
            schema[name] = field
        case .drop(let name): schema[name] = nil
        case .round(let name): leaf(name, .whole)
        case .join(let one, let other, let new):
            (schema[one], schema[other]) = (nil, nil)
            leaf(new, .text)
        case .split(let name, let first, let second):
            schema[name] = nil
            leaf(first, .text)
            leaf(second, .text)
        case .threshold(let name, _, let new):
            schema[name] = nil
            leaf(new, .text)
        case .table(let name, _, let new):
            schema[name] = nil
            leaf(new, .whole)
        case .toText(let name): leaf(name, .text)
        case .toNumber(let name): leaf(name, .decimal)
        case .cut(let name, _), .lower(let name), .trim(let name): leaf(name, .text)
        case .shift(let name, let field, let new):
            change(name) { elements in
                elements[field] = nil
                elements[new] = Field(name: new, shape: .leaf(.text))
            }
        case .total(_, _, let new): leaf(new, .decimal)
        case .count(let name, let new, let keepsList):
            if !keepsList { schema[name] = nil }
            leaf(new, .whole)
        case .group(let name, _, _, let new):
            schema[name] = nil
            let group = Schema(fields: [
                Field(name: "name", shape: .leaf(.text)), Field(name: "sum", shape: .leaf(.decimal)),
            ])
            schema[new] = Field(name: new, shape: .list(.object(group), skips: false))
        case .require(let name, _): schema[name]?.isOptional = false
        case .discriminate(let name, let circle, let square, let new):
            let kind = schema[circle]?.shape.kind ?? .text
            for name in [name, circle, square] { schema[name] = nil }
            leaf(new, kind)
        case .constant(let name, let scalar): leaf(name, scalar.number == nil ? .text : .whole)
        case .copy(let name, let new):
            schema[name] = nil
            leaf(new, .decimal)
        case .filter, .takeAway, .keepFirst, .removeLast, .reverse, .sort, .swap, .validate, .agree: break
        }
    }
}
