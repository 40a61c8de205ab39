/* Milner's scheduler: N cyclers in a ring start their tasks in turn, and a task
 * ends whenever it likes. Each cycler shares a variable with the next one. */

#ifndef N
#define N 4
#endif

bool turn[N];		/* the cycler may start its task */
byte task[N];		/* 0 idle, 1 begun, 2 half done, 3 done */

active [N] proctype Cycler()
{
	do
	:: atomic { turn[_pid] && task[_pid] == 0 -> turn[_pid] = false; task[_pid] = 1 };
	   turn[(_pid + 1) % N] = true
	od
}

active [N] proctype Worker()
{
	do
	:: task[_pid - N] == 1 -> task[_pid - N] = 2
	:: task[_pid - N] == 2 -> task[_pid - N] = 3
	:: task[_pid - N] == 3 -> task[_pid - N] = 0
	od
}

active proctype First()
{
	turn[0] = true
}
