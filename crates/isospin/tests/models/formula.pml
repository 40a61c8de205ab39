/* A model that states a formula. */
bool done;

active proctype P() { done = true }

ltl finishes { <> done }
