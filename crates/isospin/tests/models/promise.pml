/* A channel that two processes receive from, though one has promised to be the only one. */
chan orders = [2] of { byte };

active proctype Shop()
{
	xs orders;
	byte number;

	do
	:: number < 3 -> orders!number; number++
	:: else -> break
	od
}

active proctype Cook()
{
	xr orders;
	byte number;

end:	do
	:: orders?number
	od
}

active proctype Helper()
{
	byte number;

end:	do
	:: orders?number
	od
}
