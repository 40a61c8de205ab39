/* Two processes that take two locks in opposite order. */
mtype = { taken };
chan left = [1] of { mtype };
chan right = [1] of { mtype };

active proctype A()
{
	left!taken;
	right!taken;
	right?taken;
	left?taken
}

active proctype B()
{
	right!taken;
	left!taken;
	left?taken;
	right?taken
}
