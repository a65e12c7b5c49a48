extension Document {
    /// A document of its own with the value of `node`, spelled as it is there.
    public init(copying node: DocumentNode) {
        var builder = DocumentBuilder()
        builder.append(node)
        self = builder.finish(format: node.document.format)
    }
}
