/* An index that runs out of its array. */
byte squares[3];
byte i;

active proctype Fill()
{
	do
	:: squares[i] = i * i;
	   i++
	od
}
