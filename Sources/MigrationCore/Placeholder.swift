// The room's first file will replace this one.
