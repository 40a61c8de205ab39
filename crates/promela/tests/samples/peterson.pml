/* Peterson's mutual exclusion for two processes. */
#define other (1 - _pid)

bool turn, flag[2];
byte critical;

active [2] proctype user() {
again:
	flag[_pid] = 1
	turn = _pid
	(flag[other] == 0 || turn == other)

	critical++
	assert(critical == 1)
	critical--

	flag[_pid] = 0
	goto again
}

ltl exclusion { [] (critical <= 1) }
