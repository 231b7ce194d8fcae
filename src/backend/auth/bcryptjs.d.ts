// package.json installs the native `bcrypt` under this name, for lite and for us.
declare module "bcryptjs" {
  const bcrypt: {
    compare: (password: string, hash: string) => Promise<boolean>;
    hash: (password: string, rounds: number) => Promise<string>;
    hashSync: (password: string, rounds: number) => string;
  };
  export default bcrypt;
}
