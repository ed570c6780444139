// What a tool's schema lost on its way through a framework's own schema language: what the model can no longer know, not how it is spelled. Knows nothing of tables.

type Facts = Readonly<Record<string, unknown>>;

/** @param mine, floor tools by name, as they were sent. @returns `tool.loss`; empty when all is still said */
export function schemaLosses(mine: ReadonlyMap<string, Facts>, floor: ReadonlyMap<string, Facts>): string[] {
  return [...floor].flatMap(([name, theirs]) => {
    const own = mine.get(name);
    return own === undefined ? [] : toolLosses(own, theirs).map((lost) => `${name}.${lost}`);
  });
}

function toolLosses(mine: Facts, floor: Facts): string[] {
  const about = squeezed(mine['description']);
  const [own, theirs] = [parametersOf(mine), parametersOf(floor)];
  const lost = about.includes(squeezed(floor['description'])) ? [] : ['description'];
  for (const [name, wanted] of Object.entries(theirs.properties)) {
    const found = own.properties[name];
    if (found === undefined) {
      lost.push(`${name} is gone`);
      continue;
    }
    const types = typesOf(found);
    const [type = ''] = typesOf(wanted);
    if (!types.includes(type) || types.some((one) => one !== type && one !== 'null')) lost.push(`type of ${name}`);
    // Tutorials with docstrings describe parameters in the tool's description.
    if (!`${squeezed(found['description'])} ${about}`.includes(squeezed(wanted['description']))) lost.push(`description of ${name}`);
    const [isRequired, wasRequired] = [own.required.includes(name), theirs.required.includes(name)];
    if (wasRequired && !isRequired) lost.push(`${name} is required`);
    // A strict schema names every parameter as required and lets null stand for absent.
    if (!wasRequired && isRequired && !types.includes('null')) lost.push(`${name} is optional`);
  }
  return lost;
}

function parametersOf(tool: Facts): { readonly properties: Readonly<Record<string, Facts>>; readonly required: readonly unknown[] } {
  const { properties, required } = Object(tool['parameters']);
  return { properties: Object(properties), required: Array.isArray(required) ? required : [] };
}

function typesOf(parameter: Facts): readonly unknown[] {
  const { type, anyOf } = parameter;
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => typesOf(Object(one)));
  return Array.isArray(type) ? type : [type];
}

function squeezed(text: unknown): string {
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
}
