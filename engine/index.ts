// The public face of the engine: a library of its own, which knows nothing of benchmarks.

export type { CheckedWorkflow } from './build.ts';
export type { CheckpointOptions } from './checkpoint.ts';
export type { CheckpointStore, FileCheckpointOptions } from './checkpoint-store.ts';
export { fileCheckpoints, memoryCheckpoints, sqliteCheckpoints } from './checkpoint-store.ts';
export type { Clock, Random } from './clock.ts';
export { seededRandom, systemClock } from './clock.ts';
export type { NodeOutcome, RunEvent, RunUsage, TraceEnd } from './events.ts';
export { execute, resume } from './execute.ts';
export type { DiagramOptions, NodeSummary } from './export-diagram.ts';
export { summarizeEvents, toDot, toMermaid } from './export-diagram.ts';
export type { SpanOptions, TelemetryApi, TelemetrySpan } from './export-spans.ts';
export { exportSpans } from './export-spans.ts';
export type { FunctionModelMessage, FunctionModelReply, FunctionModelRequest } from './function-model.ts';
export { functionModel } from './function-model.ts';
export type { OpenGate } from './gates.ts';
export type { JsonSchema } from './json-schema-check.ts';
export type { MemoryOptions, MemoryUse } from './memory.ts';
export type { MergeRule } from './merge.ts';
export { merge } from './merge.ts';
export type { Conversation, ConversationBrief, ConversationScope, Model, ModelNotice, ModelReply, RawCall, TokenUsage, ToolResult, ToolSpec } from './model.ts';
export type { OpenAiModelOptions } from './openai-model.ts';
export { openaiModel } from './openai-model.ts';
export type { Predicate } from './predicate.ts';
export { evaluatePredicate, printPredicate } from './predicate.ts';
export { parsePredicate } from './predicate-parse.ts';
export { replay } from './replay.ts';
export type { ResourcePool } from './resource-pool.ts';
export { sharedLimits } from './resource-pool.ts';
export type { RetryPolicy } from './retry.ts';
export type { ExecuteOptions, Run, RunResult } from './run.ts';
export type { Schema, StandardSchema } from './schema.ts';
export { jsonSchema, withJsonSchema } from './schema.ts';
export type { Provenance } from './state.ts';
export type { Tool, ToolContext, ToolOptions } from './tool.ts';
export { tool } from './tool.ts';
export type {
  AgentNodeOptions,
  AgentOptions,
  AggregateOptions,
  BranchHandle,
  BranchOptions,
  Fallback,
  FunctionNodeOptions,
  Join,
  MapBody,
  MapOptions,
  NodeContext,
  NodeHandle,
  NodePolicy,
  StateShape,
  StateValue,
  StateWrite,
  ToolNodeOptions,
  WaitOptions,
  WorkflowBuilder,
  WorkflowOptions,
} from './workflow.ts';
export { agent, workflow } from './workflow.ts';
export type { FailureCode, MistakeCode, Problem, WorkflowErrorCode } from './workflow-error.ts';
export { WorkflowError } from './workflow-error.ts';
export type { EdgeDescription, NodeDescription, WorkflowDescription } from './workflow-json.ts';
export type { WorkflowParts } from './workflow-load.ts';
export { workflowFromJson } from './workflow-load.ts';
