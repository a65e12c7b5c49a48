// This module re-exports the names of DocumentModel that an app needs to create a chain, one by one. Names that an app
// may use itself are left out: `Document` must still refer to the app's own type.

@_exported import struct DocumentModel.DecodingStrategies
@_exported import struct DocumentModel.EncodingStrategies
