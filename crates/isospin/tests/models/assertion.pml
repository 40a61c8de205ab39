/* A counter that two processes increment without a lock. */
byte count;
byte finished;

active [2] proctype Adder()
{
	byte seen;
	seen = count;
	count = seen + 1;
	finished++;
	if
	:: finished == 2 -> assert(count == 2)
	:: else
	fi
}
