// What an app needs of DocumentModel to make a chain and to open a document with it comes with this module. Name by name, because all of
// it would be too much: a test that names Swift Testing's `SourceLocation` must still mean that one.

@_exported import struct DocumentModel.DecodingStrategies
@_exported import struct DocumentModel.Document
@_exported import struct DocumentModel.DocumentDecoder
@_exported import struct DocumentModel.DocumentEncoder
@_exported import enum DocumentModel.DocumentFormat
@_exported import struct DocumentModel.DocumentNode
@_exported import struct DocumentModel.DocumentPath
@_exported import struct DocumentModel.EncodingStrategies
@_exported import struct DocumentModel.JSONWriter
@_exported import class DocumentModel.SourceBytes
