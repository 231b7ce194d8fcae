import { readCommands, readLanguageCode, readScope } from "../command-menus.ts";
import { type Parameters, readJson, readObject, readString } from "../read-parameters.ts";
import { badRequest } from "../refusal.ts";
import { tell } from "../world.ts";
import type { Method } from "./method.ts";

export const setMyCommands: Method = ({ world, parameters }) => {
  const commands = readCommands(readJson(parameters, "commands"));
  const { scope, language } = readPlace(parameters);
  world.menus.set(scope, language, commands);
  tell(world, { type: "people" });
  return { result: true };
};

export const getMyCommands: Method = ({ world, parameters }) => {
  const { scope, language } = readPlace(parameters);
  return { result: world.menus.get(scope, language) };
};

export const deleteMyCommands: Method = ({ world, parameters }) => {
  const { scope, language } = readPlace(parameters);
  world.menus.delete(scope, language);
  tell(world, { type: "people" });
  return { result: true };
};

export const setMyDescription = setProfileText("description", 512);
export const getMyDescription = getProfileText("description");
export const setMyShortDescription = setProfileText("short_description", 120);
export const getMyShortDescription = getProfileText("short_description");

function readPlace(parameters: Parameters): { scope: string; language: string } {
  return {
    scope: readScope(readObject(parameters, "scope")),
    language: readLanguageCode(readString(parameters, "language_code")),
  };
}

function setProfileText(name: string, limit: number): Method {
  return ({ world, parameters }) => {
    const language = readLanguageCode(readString(parameters, "language_code"));
    const text = readString(parameters, name) ?? "";
    if (text.length > limit) throw badRequest(`${name.replaceAll("_", " ")} is too long`);
    world.descriptions.set(`${name} ${language}`, text);
    tell(world, { type: "people" });
    return { result: true };
  };
}

function getProfileText(name: string): Method {
  return ({ world, parameters }) => {
    const language = readLanguageCode(readString(parameters, "language_code"));
    const own = world.descriptions.get(`${name} ${language}`);
    return { result: { [name]: own || (world.descriptions.get(`${name} `) ?? "") } };
  };
}
