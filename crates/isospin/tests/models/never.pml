/* A never claim that counts up to a limit. */
#ifndef LIMIT
#define LIMIT 2
#endif

byte x;

active proctype P() {
	do
	:: x < 4 -> x++
	:: x == 4 -> break
	od
}

never {
	do
	:: x > LIMIT -> break
	:: else
	od
}
