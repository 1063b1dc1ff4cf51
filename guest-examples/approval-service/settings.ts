// What `settings` in hooks.toml can hold.

export interface Settings {
  /** The URL that is asked, which `grants.net` must cover. */
  service: string;
  /** Whether approvals are remembered, for as long as the store keeps values. */
  remember: boolean;
}

/** A mistake in the settings is an error of the hook, which is better than a policy that nobody follows. */
export function readSettings(given: unknown): Settings {
  if (typeof given !== "object" || given === null) throw new TypeError("settings.service must be set: the URL to ask");
  const { service, remember = true, ...others } = given as Record<string, unknown>;
  for (const key in others) throw new TypeError(`settings.${key} is no setting of this hook`);
  if (typeof service !== "string") throw new TypeError("settings.service must be the URL to ask");
  if (typeof remember !== "boolean") throw new TypeError("settings.remember must be true or false");
  return { service, remember };
}
