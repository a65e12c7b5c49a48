// The room's first test file will replace this one.
