/** A search that finds more homes than this in a day is offered a summary every two hours. */
export const MANY_A_DAY = 40;
