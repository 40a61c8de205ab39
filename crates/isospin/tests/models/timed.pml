/* A request is repeated when no answer came in time. */
#ifndef WAIT
#define WAIT 5
#endif

chan ask = [0] of { bit };
chan answer = [0] of { bit };

active proctype Client()
{
	timer patience;

again:	ask!1;
	set(patience, WAIT);
	if
	:: answer?_ -> reset(patience)
	:: expire(patience) -> goto again
	fi
}

active proctype Server()
{
	timer work;
	bool busy;

end:	do
	:: ask?_ -> assert(!busy); busy = true; set(work, 4)
	:: expire(work) -> reset(work); busy = false; answer!1
	od
}
