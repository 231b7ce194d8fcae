/** The element the demo is shown in; its texts stand on it as JSON. */
export const DEMO_PLACE_ID = "live-demo";
