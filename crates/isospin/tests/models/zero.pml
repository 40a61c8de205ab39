/* One process talks to itself for ever, and the other one's time never comes. */
bit x;

active proctype Talker()
{
	do
	:: x = 1 - x
	od
}

active proctype Sleeper()
{
	timer t;

	delay(t, 3)
}
