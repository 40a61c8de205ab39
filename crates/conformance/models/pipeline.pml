/* A pipeline: each stage takes a value from the place before it, changes it in some steps of its
 * own, and hands it on to the place behind it. */

#ifndef N
#define N 5
#endif

byte place[N + 1];

active [N] proctype Stage()
{
	byte value;
	do
	:: atomic { place[_pid] != 0 -> value = place[_pid]; place[_pid] = 0 };
	   value = 3 - value;
	   atomic { place[_pid + 1] == 0 -> place[_pid + 1] = value; value = 0 }
	od
}

active proctype Source()
{
	do
	:: place[0] == 0 -> place[0] = 1
	:: place[0] == 0 -> place[0] = 2
	od
}

active proctype Sink()
{
	do
	:: place[N] != 0 -> place[N] = 0
	od
}
