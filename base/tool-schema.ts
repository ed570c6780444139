// What a tool looks like from outside: the same description goes to every framework, to the model and to the broker's argument check.

export interface ToolParameter {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly description: string;
}

/** A tool with flat parameters, without bounds or enums (method M2.1), so that each framework's schema language can say it without loss. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, ToolParameter>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
}
