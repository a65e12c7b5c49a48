// Becomes the first embedder of the program once the program is there.
