//! The words of instructions, in many languages. All are in lower case and without accents on Latin letters.

/// A set of the roles of a word, one bit each.
pub(crate) type Class = u64;

/// The roles of words in an instruction.
pub(crate) mod class {
    use super::Class;

    /// Verbs that tell to disregard something, and that come first.
    pub(crate) const OVERRIDE: Class = 1;
    /// Verbs that tell to disregard something, in languages or forms in which the verb may come last.
    pub(crate) const OVERRIDE_LATE: Class = 1 << 1;
    /// Verbs that can tell to disregard something, but have many other meanings.
    pub(crate) const OVERRIDE_WEAK: Class = 1 << 24;
    /// Words for what came before.
    pub(crate) const PRIOR: Class = 1 << 2;
    /// Words for what came before that have many other meanings.
    pub(crate) const PRIOR_WEAK: Class = 1 << 22;
    /// Words for instructions.
    pub(crate) const OBJECT: Class = 1 << 3;
    /// Words for instructions that have many other meanings.
    pub(crate) const OBJECT_WEAK: Class = 1 << 23;
    /// Words for an assistant.
    pub(crate) const ADDRESSEE: Class = 1 << 4;
    /// Words that address someone: `attention`, `note to`.
    pub(crate) const CALL: Class = 1 << 5;
    /// Words such as not, never, without.
    pub(crate) const NOT: Class = 1 << 6;
    /// Words such as tell.
    pub(crate) const TELL: Class = 1 << 7;
    /// Words for the user.
    pub(crate) const USER: Class = 1 << 8;
    /// Names of assistants.
    pub(crate) const BRAND: Class = 1 << 25;
    /// Words such as are.
    pub(crate) const BE: Class = 1 << 26;
    /// Words such as you.
    pub(crate) const YOU: Class = 1 << 9;
    /// Words such as must, shall.
    pub(crate) const MUST: Class = 1 << 10;
    /// Words for what an agent could do: run, send.
    pub(crate) const ACT: Class = 1 << 11;
    /// Words for what must not be sent.
    pub(crate) const SECRET: Class = 1 << 12;
    /// Words such as now.
    pub(crate) const NOW: Class = 1 << 13;
    /// Words for another role: unrestricted, developer mode.
    pub(crate) const ROLE: Class = 1 << 14;
    /// Words that texts about attacks have.
    pub(crate) const ARTICLE: Class = 1 << 15;
    /// Words such as if, when.
    pub(crate) const IF: Class = 1 << 16;
    /// Whole phrases that ask for secrecy.
    pub(crate) const SECRECY: Class = 1 << 17;
    /// Words for what a user asks for, and for doing it.
    pub(crate) const REQUEST: Class = 1 << 18;
    /// `language` in `language model`.
    pub(crate) const LANGUAGE: Class = 1 << 20;
    /// Words such as told, said: what an assistant knows from others.
    pub(crate) const TOLD: Class = 1 << 19;
    /// Words such as show, print, replace: what an attacker wants to do with the first instructions.
    pub(crate) const REVEAL: Class = 1 << 27;
    /// Words such as system, hidden, initial, which tell the kind of instructions.
    pub(crate) const HIDDEN: Class = 1 << 28;
    /// Words such as everything.
    pub(crate) const EVERYTHING: Class = 1 << 29;
    /// Words such as act, pretend.
    pub(crate) const ACTING: Class = 1 << 30;
    /// Words such as safety, ethical, which tell the kind of guidelines.
    pub(crate) const SAFETY: Class = 1 << 31;
    /// `model` and `agent`, which mean an assistant after certain words.
    pub(crate) const MODEL: Class = 1 << 21;
    /// Words for what an agent could do that have many other meanings. They count only after an unambiguous address.
    pub(crate) const DEED: Class = 1 << 32;
    /// Words such as you're.
    pub(crate) const YOU_ARE: Class = 1 << 34;
    /// Words such as are, in languages in which they come last.
    pub(crate) const BE_LATE: Class = 1 << 35;
    /// Words for formats that break long lines: `quoted-printable`.
    pub(crate) const FOLDED: Class = 1 << 33;
    /// Words such as told, given: what an assistant knows from those who run it, rather than from a lesson.
    pub(crate) const GIVEN: Class = 1 << 36;
}

use class::*;

/// Words that are delimited by spaces.
pub(crate) const WORDS: &[(Class, &str)] = &[
    (OVERRIDE_WEAK, "override overrule overwrite bypass discard neglect"),
    // The English words come first, together with words of other languages that are spelled alike.
    (OVERRIDE, "ignore ignoring disregard disregarding forget"),
    (
        OVERRIDE,
        "ignoriere ignoriert vergiss vergesst missachte missachten ignorez oublie oubliez ignora ignorad ignoren olvida olvide \
         olviden omiso ignorate dimentica dimenticate desconsidere esqueca esquecam negeer vergeet ignorera ignorer glem
         abaikan lupakan zignoruj ignoruj ignorujcie zapomnij ignorujte zapomen zapomente ignorati игнорируй игнорируйте забудь \
         забудьте проигнорируй отбрось ігноруй ігноруйте забудьте αγνοησε αγνόησε ξέχασε تجاهل تجاهلوا انس התעלם התעלמו שכח bo",
    ),
    (
        OVERRIDE_LATE,
        "ignorieren vergessen negeren vergeten yoksay yok goz gormezden unut unutun игнорировать забыть अनदेखा नज़रअंदाज़ \
         भूल نادیده",
    ),
    (PRIOR, "previous prior above earlier preceding foregoing former past previously"),
    (PRIOR_WEAK, "all any your original initial system existing every this these"),
    (
        PRIOR,
        "vorherigen vorherige vorhergehenden vorangegangenen bisherigen bisherige vorigen obigen fruheren alle allen deine ihre \
         precedentes precedente toutes tous anterieures anteriores anterior previas previos todas todos tus suas seus precedenti \
         tutte tutti vorige eerdere bovenstaande tidigare alla tidligere sebelumnya semua terdahulu poprzednie poprzednich \
         wszystkie wczesniejsze predchozi vsechny anterioare toate предыдущие предыдущих прошлые прежние все всё вышеуказанные \
         попередні всі προηγούμενες όλες السابقة السابقه جميع كل הקודמות כל onceki tum butun पिछले पिछली सभी قبلی truoc",
    ),
    (OBJECT, "instructions instruction prompt prompts directives directive guidelines programming"),
    (OBJECT_WEAK, "rules commands orders policies restrictions constraints safeguards safeguard guardrails context messages text directions guidance"),
    (
        OBJECT,
        "anweisungen anweisung instruktionen befehle regeln vorgaben consignes directives regles instrucciones ordenes indicaciones \
         reglas istruzioni indicazioni regole comandi instrucoes ordens regras diretrizes instructies opdrachten regels instruktioner \
         anvisningar instruksjoner instruksi perintah petunjuk instrukcje instrukcji polecenia wytyczne pokyny instrukce \
         instructiunile инструкции инструкций указания команды правила инструкцию інструкції вказівки οδηγίες εντολές التعليمات \
         تعليمات الأوامر ההוראות הוראות talimatlari talimatlar komutlari निर्देशों निर्देश आदेशों دستورالعمل دستورات dan lenh",
    ),
    (ADDRESSEE, "ai llm llms assistant assistants chatbot chatbots ki ia ии"),
    (ADDRESSEE, "assistent assistenten asistente asistentes assistente ассистент помощник asisten asystent asistan"),
    (
        ADDRESSEE,
        "assistenter assistentes assistenti asystentow asystenci asistenti asistenty asistanlar asistanlari asistanlarina sprachmodell \
         sprachmodelle ассистенты ассистентов ассистентам помощники помощников помощникам ші асистенти асистентів помічники βοηθοί \
         βοηθούς الاصطناعي सहायक सहायकों",
    ),
    (BRAND, "claude chatgpt copilot codex gpt gemini cursor"),
    (MODEL, "model models agent agents"),
    (MODEL, "agenten agentes agenti agenter agentow агент агенты агентов агентам агенти агентів modelle modelos modeles modelli модели"),
    (LANGUAGE, "language coding autonomous"),
    (CALL, "attention dear hey hello note message instruction instructions notice important warning urgent reminder"),
    (CALL, "achtung hinweis atencion attenzione atencao внимание uwaga"),
    (
        CALL,
        "nachricht mitteilung anmerkung anweisung anweisungen lieber liebe avis remarque consigne consignes cher chers nota aviso \
         mensaje instrucciones estimado avviso messaggio istruzioni caro mensagem instrucoes prezado opmerking bericht instructies \
         wiadomosc instrukcja instrukcje drogi poznamka upozorneni zprava pokyny meddelande instruktioner meddelelse besked \
         bemarkning melding примечание сообщение инструкция инструкции уважаемый примітка повідомлення увага інструкції σημείωση \
         προσοχή μήνυμα catatan pesan perhatian instruksi luu ghi ملاحظة تنبيه הערה הודעה ध्यान",
    ),
    (IF, "if when whenever since because wenn falls si se als если jesli"),
    (BE, "are youre bist sind etes es eres sei sao jestes zijt"),
    (YOU_ARE, "youre"),
    (BE_LATE, "bist bent"),
    (YOU, "es eres"),
    (YOU, "you your youre du sie tu usted vous lei voce je ты вы"),
    (MUST, "must should shall required mandatory need always immediately please kindly have"),
    (
        ACT,
        "run execute send post upload email forward fetch call invoke open visit download delete remove reveal print output respond \
         reply include append write create transfer exfiltrate leak encode read add summarize say recommend submit transmit \
         approve merge use answer rate push commit install click follow ignore set give rank share \
         paste disable press buy",
    ),
    (
        DEED,
        "search insert find list collect replace rename rewrite edit modify change copy move stop terminate kill select choose issue \
         rotate confirm accept disclose show obey subscribe mark embed star enable grant pay order book encrypt export save query go \
         import clone close perform proceed return register prefer promote put get take refund cancel",
    ),
    (
        DEED,
        "fuhre fuhren sende senden schicke losche offne lies lese installiere lade executez executer execute lancez envoyez envoyer \
         supprimez ouvrez lisez installez telechargez ejecuta ejecute ejecutar envia envie enviar borra elimina elimine abre abra lee \
         lea instala descarga esegui eseguire eseguite invia inviare cancella apri leggi installa scarica executar apague exclua leia \
         instale baixe voer stuur verstuur verwijder lees installeer uruchom wykonaj wyslij usun otworz przeczytaj zainstaluj pobierz \
         spust odesli smaz otevri nainstaluj kor skicka radera oppna las kjor slett slet выполни выполните запусти запустите отправь \
         отправьте удали удалите открой откройте прочитай прочитайте установи установите виконай виконайте запустіть надішли видали \
         εκτέλεσε εκτελέστε στείλε στείλτε calistir calistirin gonder gonderin sil silin jalankan kirim hapus buka baca chay gui نفذ \
         أرسل احذف הרץ הריצו שלח שלחו चलाएं चलाएँ भेजें",
    ),
    (TOLD, "told said instructed taught learned given"),
    (GIVEN, "told instructed given"),
    (REVEAL, "reveal print show display output repeat disclose leak expose dump recite supersede supersedes override overrides replaces"),
    (HIDDEN, "system hidden initial original secret internal underlying developer preset"),
    (EVERYTHING, "everything anything verbatim"),
    (ACTING, "act pretend roleplay behave"),
    (SAFETY, "safety ethical ethics moderation alignment content security safeguards"),
    (NOT, "not dont never without no nicht keinesfalls ne no nunca non mai nao niet nie не"),
    (TELL, "tell mention inform notify alert telling mentioning informing notifying alerting"),
    (TELL, "sag sage erwahne informiere mentionne informe dis digas menciones informes dire menzionare vertel говори сообщай"),
    (USER, "user users human humans anyone anybody operator nutzer benutzer anwender utilisateur usuario utente gebruiker"),
    (USER, "пользователю пользователя uzytkownikowi kullaniciya"),
    (SECRET, "env credential credentials secret secrets password passwords token tokens apikey key keys ssh rsa cookies cookie"),
    (SECRET, "conversation history environment private wallet seed"),
    (FOLDED, "printable vcalendar vevent vtodo vcard"),
    (NOW, "now jetzt ahora maintenant adesso agora теперь"),
    (ROLE, "unrestricted uncensored dan jailbroken developer"),
    (REQUEST, "request requests wishes follow obey heed"),
    (
        ARTICLE,
        "injection injections jailbreak jailbreaks jailbreaking attacker attackers attack attacks adversarial owasp exploit exploits \
         vulnerability vulnerabilities mitigation mitigations researchers payload payloads malicious untrusted threat threats \
         detection defenses angreifer angriff attaque attaquant ataque atacante",
    ),
];

/// Words of languages without spaces or with inflections. They match at any position.
pub(crate) const PIECES: &[(Class, &str)] = &[
    (OVERRIDE | OVERRIDE_LATE, "忽略 無視 无视 忽視 忽视 忘记 忘記 忘掉 忘れ 不要理会 抛开 무시 잊어 ละเว้น เพิกเฉย ลืม"),
    (PRIOR, "之前 先前 以上 上述 前面 此前 所有 以前 これまで 前の 上記 すべて 全て 이전 앞선 모든 위의 ก่อนหน้า ทั้งหมด"),
    (
        OBJECT,
        "指令 指示 提示 命令 规则 規則 设定 設定 説明 说明 要求 プロンプト ルール 지시 명령 지침 프롬프트 규칙 คำสั่ง",
    ),
    (
        ADDRESSEE,
        "助手 助理 人工智能 人工智慧 大模型 语言模型 語言模型 アシスタント 言語モデル 어시스턴트 인공지능 ผู้ช่วย",
    ),
    (MODEL, "智能体 代理 エージェント 에이전트"),
    (CALL, "亲爱的 親愛的 尊敬的 致 给 給 注意 提醒 通知 警告 주의 ถึง"),
    (
        DEED,
        "运行 運行 执行 執行 发送 發送 删除 刪除 打开 打開 读取 讀取 上传 上傳 安装 安裝 下载 下載 发布 發布 実行 送信 削除 開いて 読み取 読んで インストール \
         ダウンロード アップロード 실행 전송 보내 삭제 읽어 설치 รัน ส่ง ลบ เปิด",
    ),
    (
        SECRECY,
        "不要告诉用户 不要告訴用戶 不要通知用户 ユーザーに言わない ユーザーに伝えない ユーザーには知らせ 사용자에게 알리지 사용자에게 말하지",
    ),
    (ARTICLE, "注入 攻击 攻撃 攻擊 漏洞 脆弱性 공격 취약점"),
];

/// Markers of chat templates and of tool calls. They come from the models' own tokenizers (`tokenizer_config.json`,
/// 2026) and from agents' prompts.
pub(crate) const MARKS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|endofprompt|>",
    "<|eot_id|>",
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|tool_call|>",
    "<|tool_calls|>",
    "<|python_tag|>",
    "<|channel|>",
    "<|start|>",
    "<|message|>",
    "<|call|>",
    "<|return|>",
    "<|end|>",
    "<|start_of_role|>",
    "<｜begin▁of▁sentence｜>",
    "<｜User｜>",
    "<｜Assistant｜>",
    "<｜tool▁calls▁begin｜>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "[TOOL_CALLS]",
    "[AVAILABLE_TOOLS]",
    "[SYSTEM_PROMPT]",
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "<tool_use>",
    "<tool_code>",
    "</tool_code>",
    "<tool_result>",
    "</tool_result>",
    "<tool_response>",
    "</tool_response>",
    "<function_calls>",
    "</function_calls>",
    "<function_call>",
    "<function_results>",
    "</function_results>",
    "<function_response>",
    "<invoke name=",
    "<function=",
    concat!("<", "antml", ":"),
    "<system-reminder>",
    "</system-reminder>",
    "<system_prompt>",
    "<system_instructions>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<|im_user|>",
    "<|im_assistant|>",
    "<|im_system|>",
    "<|im_middle|>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<|tool_call_argument_begin|>",
    "<|observation|>",
    "<|header_start|>",
    "<|header_end|>",
    "<|eot|>",
    "<|eom|>",
    "<|eom_id|>",
    "<|START_OF_TURN_TOKEN|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|SYSTEM_TOKEN|>",
    "<|USER_TOKEN|>",
    "<|CHATBOT_TOKEN|>",
    "<|START_ACTION|>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁outputs▁begin｜>",
    "<｜end▁of▁sentence｜>",
    "<arg_key>",
    "<seed:tool_call>",
    "<minimax:tool_call>",
    "[TOOL_RESULTS]",
    "[TOOL_CONTENT]",
    "[MODEL_SETTINGS]",
    "<IMPORTANT>",
    "</IMPORTANT>",
    "[SYSTEM OVERRIDE]",
    "<use_mcp_tool>",
    "<execute_command>",
];
