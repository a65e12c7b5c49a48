#ifndef CATTACKS_H
#define CATTACKS_H

// Attacks by an app's code on the program that runs it in a worker process. They find the socket, the page and the
// streams of the process, and forge their contents.

// Runs the named attack, and returns false if there is none with that name.
int attack(const char *name);

#endif
