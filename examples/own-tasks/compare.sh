#!/bin/sh
# Three frameworks on ten questions of one's own. Answered from a cassette, so without key, network or weights; take --replay off, and the model itself is asked.
cd "$(dirname "$0")/../.." && npm run reproduce -- --quick --yes "$@" \
  --tasks jsonl:examples/own-tasks/questions.jsonl --frameworks fetch,langgraph,openai-agents --shape single --settings default \
  --model local:qwen2.5-coder-0.5b --temperature 0 --max-tokens 96 --cap 4 --replay examples/own-tasks/cassette.jsonl
