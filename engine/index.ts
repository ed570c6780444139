// The public face of the engine: a library of its own, which knows nothing of benchmarks.

export type { CheckedWorkflow } from './build.ts';
export type { Clock, Random } from './clock.ts';
export { seededRandom, systemClock } from './clock.ts';
export type { NodeOutcome, RunEvent, RunUsage } from './events.ts';
export type { ExecuteOptions, Run, RunResult } from './execute.ts';
export { execute } from './execute.ts';
export type { FunctionModelMessage, FunctionModelReply, FunctionModelRequest } from './function-model.ts';
export { functionModel } from './function-model.ts';
export type { JsonSchema } from './json-schema-check.ts';
export type { MergeRule } from './merge.ts';
export { merge } from './merge.ts';
export type { Conversation, ConversationBrief, ConversationScope, Model, ModelNotice, ModelReply, RawCall, TokenUsage, ToolResult, ToolSpec } from './model.ts';
export type { OpenAiModelOptions } from './openai-model.ts';
export { openaiModel } from './openai-model.ts';
export type { RetryPolicy } from './retry.ts';
export type { Schema, StandardSchema } from './schema.ts';
export { jsonSchema, withJsonSchema } from './schema.ts';
export type { Provenance } from './state.ts';
export type { Tool, ToolContext, ToolOptions } from './tool.ts';
export { tool } from './tool.ts';
export type {
  AgentNodeOptions,
  AgentOptions,
  FunctionNodeOptions,
  NodeContext,
  NodeHandle,
  NodePolicy,
  StateShape,
  StateValue,
  StateWrite,
  ToolNodeOptions,
  WorkflowBuilder,
  WorkflowOptions,
} from './workflow.ts';
export { agent, workflow } from './workflow.ts';
export type { FailureCode, MistakeCode, Problem, WorkflowErrorCode } from './workflow-error.ts';
export { WorkflowError } from './workflow-error.ts';
