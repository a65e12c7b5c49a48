// What an app needs of DocumentModel to make a chain comes with this module, name by name. Nothing that an app may call
// something of its own comes along: `Document` must still mean the app's.

@_exported import struct DocumentModel.DecodingStrategies
@_exported import struct DocumentModel.EncodingStrategies
