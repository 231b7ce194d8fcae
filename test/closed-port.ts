/** Nothing listens here: no test is given a port below 1024, and no service has this one. A port that was free may be taken. */
export const CLOSED_PORT = 2;
