/* A slotted ring: each node has a slot that is free or carries somebody's message; a node
 * puts its own into a free slot, takes out what is for it, and moves slots on. */

#ifndef N
#define N 4
#endif

byte slot[N];		/* 0 nothing there, 1 a free slot, 2 a full one */
bool wants[N];

active [N] proctype Node()
{
	slot[_pid] = 1 + (_pid % 2);
	do
	:: !wants[_pid] -> wants[_pid] = true
	:: atomic { wants[_pid] && slot[_pid] == 1 -> slot[_pid] = 2; wants[_pid] = false }
	:: atomic { slot[_pid] == 2 -> slot[_pid] = 1 }
	:: atomic { slot[_pid] && !slot[(_pid + 1) % N] ->
		slot[(_pid + 1) % N] = slot[_pid]; slot[_pid] = 0 }
	od
}
