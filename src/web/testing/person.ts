export const PERSON = { id: "00000000-0000-4000-8000-00000000000a", email: "ana@example.com" };
