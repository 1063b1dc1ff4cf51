//! Model providers and the tools around them.

use super::{Rule, rule, unglued};

pub(super) const RULES: &[Rule] = &[
    rule("anthropic-key", &["sk-ant-"], r"sk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{93}AA"),
    rule("anthropic-other-key", &["sk-ant-"], r"sk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{32,120}"),
    rule("openrouter-key", &["sk-or-v1-"], r"sk-or-v1-[A-Fa-f0-9]{64}"),
    rule("langfuse-key", &["sk-lf-"], r"sk-lf-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"),
    rule(
        "openai-project-key",
        &["t3blbkfj"],
        r"sk-(?:proj|svcacct|service|admin|None)-[A-Za-z0-9_-]{8,120}T3BlbkFJ[A-Za-z0-9_-]{8,80}",
    ),
    rule(
        "openai-new-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}",
    ),
    rule("openai-old-key", &["t3blbkfj"], r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    // Several providers share this prefix, and words such as `task` end in it.
    rule("plain-sk-key", &["sk-"], unglued!("sk-[A-Za-z0-9]{48}")),
    rule("groq-key", &["gsk_"], r"gsk_[A-Za-z0-9]{52}"),
    rule("perplexity-key", &["pplx-"], r"pplx-[A-Za-z0-9]{48,56}"),
    rule("xai-key", &["xai-"], r"xai-[A-Za-z0-9_]{80}"),
    rule("replicate-token", &["r8_"], r"r8_[A-Za-z0-9_-]{37}"),
    rule("cohere-key", &["co_"], r"co_[A-Za-z0-9]{40}"),
    rule("hugging-face-token", &["hf_"], r"hf_[A-Za-z0-9]{34,40}"),
    rule("hugging-face-org-token", &["api_org_"], r"api_org_[A-Za-z0-9]{34}"),
    rule("cerebras-key", &["csk-"], r"csk-[a-z0-9]{48}"),
    rule("together-key", &["tgp_v1_"], r"tgp_v1_[A-Za-z0-9_-]{43}"),
    rule("nvidia-key", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{60,70}"),
    rule("langsmith-key", &["lsv2_"], r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    rule("weights-and-biases-key", &["wandb_v1_"], r"wandb_v1_[A-Za-z0-9_]{60,90}"),
    rule("pinecone-key", &["pckey_"], r"pckey_[A-Za-z0-9]{1,40}_[A-Za-z0-9]{24,80}"),
    rule("pinecone-secret-key", &["pcsk_"], r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{60,66}"),
    rule("jina-key", &["jina_"], r"jina_[a-f0-9]{32}[A-Za-z0-9_-]{28}"),
    rule("tavily-key", &["tvly-"], r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}"),
    rule("elevenlabs-key", &["sk_"], unglued!("sk_[a-f0-9]{48}")),
    rule("apify-token", &["apify_api_"], r"apify_api_[A-Za-z0-9]{36}"),
    rule("bedrock-long-key", &["absk"], unglued!("ABSK[A-Za-z0-9+/]{100,270}={0,2}")),
    rule("bedrock-short-key", &["bedrock-api-key-"], r"bedrock-api-key-[A-Za-z0-9+/]{40,2000}={0,2}"),
    rule("cursor-key", &["crsr_"], r"crsr_[a-f0-9]{64}"),
];
