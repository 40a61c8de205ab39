/* A lamp that goes out by itself, and somebody who presses its button. */
#define STAY 5

mtype = { off, dim, bright };
mtype lamp = off;
chan button = [0] of { bit };

active proctype Lamp()
{
	timer t;

	do
	:: button?_ ->
	   if
	   :: lamp == off -> lamp = dim; set(t, STAY)
	   :: lamp == dim && !expire(t) -> lamp = bright; set(t, STAY + 1)
	   :: else -> lamp = off; reset(t)
	   fi
	:: expire(t) -> reset(t); lamp = off
	od
}

active proctype User()
{
	timer rest[2];

	do
	:: button!1; bdelay(rest[0], 1, 3)
	:: udelay(rest[1]); delay(rest[0], STAY + 2); assert(lamp == off)
	od
}

ltl dark { [] <> (lamp == off) }
