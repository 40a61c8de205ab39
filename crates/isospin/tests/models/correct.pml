/* A rendez-vous that always works, and code that is never reached. */
mtype = { request, grant };
chan call = [0] of { mtype, byte };
chan answer = [2] of { mtype };
byte served;

proctype Client()
{
	call!request(_pid);
	answer?grant;
	served++;
	if
	:: served > 2 -> served = 9
	:: else
	fi
}

active proctype Server()
{
	byte who;
end:	do
	:: call?request(who) -> answer!grant
	od
}

init {
	run Client();
	run Client()
}
