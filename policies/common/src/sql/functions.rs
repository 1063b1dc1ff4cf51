//! The known functions of SQL. Names are in lower case.

/// Words before a parenthesis that are not names of functions.
const WORDS: &str = "
    all analyse analyze and anti any apply array as asof bernoulli between bigint binary bit blob by case char
    character columns cross cube datetime datetime2 datetimeoffset dec decimal distinct double else end enum
    escape except exclude exists explain filter first fixed float for from full group having ilike in index
    inner int integer intersect interval is join key lateral like limit match_recognize materialized measures
    minus natural nchar not number numeric nvarchar offset on option or order outer over partition pivot
    precision qualify real recursive regexp rlike rollup row rows sample select semi sets similar some string
    struct table tablesample text then time timestamp timestamptz tinyint to top union unpivot using values
    varbinary varchar varchar2 varying when where window with within xor
";

/// Functions of all dialects that only compute.
const PURE: &str = "
    abs acos acosh add_months adddate addtime age any_value approx_count_distinct approx_percentile
    approx_quantiles approx_top_count argmax argmin array_agg array_append array_cat array_concat array_contains
    array_distinct array_join array_length array_lower array_ndims array_position array_positions array_prepend
    array_remove array_replace array_size array_slice array_sort array_to_json array_to_string array_upper
    arrayelement arrayexists arrayfilter arrayjoin arraymap ascii asin asinh atan atan2 atanh avg avgif bin
    bit_and bit_count bit_length bit_or bit_xor bool_and bool_or btrim cardinality cast cbrt ceil ceiling
    changes char_length character_length charindex choose chr clock_timestamp coalesce col_description collate
    concat concat_ws contains convert convert_from convert_timezone convert_to corr cos cosh cot count count_big
    count_if countif covar_pop covar_samp crc32 cume_dist curdate current_database current_date current_schema
    current_schemas current_setting current_time current_timestamp current_user curtime database datalength date
    date_add date_bin date_diff date_format date_part date_sub date_trunc dateadd datediff datefromparts
    datename datepart datetrunc day dayname dayofmonth dayofweek dayofyear db_name decode degrees dense_rank
    difference div elt encode endswith eomonth every exp extract field find_in_set first_value flatten floor
    foreach format format_date format_timestamp format_type formatdatetime found_rows from_base64 from_days
    from_unixtime gcd gen_random_uuid generate_array generate_date_array generate_series generate_subscripts
    get_json_object getdate getutcdate glob greatest group_concat grouparray grouping grouping_id groupuniqarray
    has has_column_privilege has_database_privilege has_schema_privilege has_table_privilege hash hex hour if
    ifnull iif indexof initcap insert instr isdate isfinite isjson isnull isnumeric json json_agg json_array
    json_array_elements json_array_elements_text json_array_length json_arrayagg json_build_array
    json_build_object json_contains json_contains_path json_each json_each_text json_exists json_extract
    json_extract_array json_extract_path json_extract_path_text json_extract_scalar json_extract_string
    json_group_array json_group_object json_keys json_length json_object json_object_agg json_object_keys
    json_objectagg json_populate_record json_query json_quote json_search json_strip_nulls json_table
    json_to_record json_to_recordset json_tree json_type json_typeof json_unquote json_valid json_value
    jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
    jsonb_build_object jsonb_each jsonb_each_text jsonb_exists jsonb_extract_path jsonb_extract_path_text
    jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_query jsonb_path_query_array
    jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_to_record jsonb_to_recordset
    jsonb_typeof jsonextract jsonextractint jsonextractstring julianday justify_days justify_hours
    justify_interval lag last_day last_insert_id last_value lcase lcm lead least left len length listagg ln
    localtime localtimestamp locate log log10 log2 lower lpad ltrim make_date make_interval make_time
    make_timestamp make_timestamptz makedate maketime map max max_by maxif md5 median mid min min_by minif
    minute mod mode month monthname newid now nth_value ntile nullif num_nonnulls num_nulls numrange nvl nvl2
    obj_description object_construct object_definition object_id object_name octet_length openjson overlay
    parse_date parse_json parse_timestamp parsename path patindex percent_rank percentile_cont percentile_disc
    period_diff pg_column_size pg_database_size pg_describe_object pg_encoding_to_char pg_get_constraintdef
    pg_get_expr pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result
    pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_ruledef pg_get_serial_sequence pg_get_triggerdef
    pg_get_userbyid pg_get_viewdef pg_indexes_size pg_is_in_recovery pg_postmaster_start_time pg_relation_size
    pg_size_pretty pg_table_is_visible pg_table_size pg_tablespace_size pg_total_relation_size pg_typeof
    phraseto_tsquery pi plainto_tsquery position pow power pragma_compile_options pragma_database_list
    pragma_foreign_key_list pragma_function_list pragma_index_info pragma_index_list pragma_index_xinfo
    pragma_table_info pragma_table_list pragma_table_xinfo printf quantile quarter quote quote_ident
    quote_literal quotename radians rand random range_agg rank ratio_to_report regexp_contains regexp_count
    regexp_extract regexp_extract_all regexp_instr regexp_like regexp_match regexp_matches regexp_replace
    regexp_split_to_array regexp_split_to_table regexp_substr regr_r2 regr_slope repeat replace replicate
    reverse right round row_count row_number row_to_json rpad rtrim safe_cast safe_divide schema_name
    scope_identity sec_to_time second sequence session_user setweight sha sha1 sha2 sha256 sha512 sign
    similarity sin sinh size soundex space split split_part splitbychar sqlite_version sqrt st_area st_asgeojson
    st_astext st_buffer st_centroid st_contains st_distance st_dwithin st_geogpoint st_geomfromtext
    st_intersects st_length st_makepoint st_point st_setsrid st_transform st_within st_x st_y starts_with
    startswith statement_timestamp std stddev stddev_pop stddev_samp stdev str str_to_date strcmp strftime
    string_agg string_split string_to_array string_to_table strip_tags strpos struct_extract stuff subdate
    substr substring substring_index subtime suffix sum sumif sysdate sysdatetime sysutcdatetime tan tanh
    time_bucket time_format time_to_sec timediff timeofday timestamp_diff timestamp_millis timestamp_seconds
    timestamp_sub timestamp_trunc timestampadd timestampdiff to_base64 to_char to_date to_days to_hex to_json
    to_jsonb to_number to_regclass to_timestamp to_tsquery to_tsvector to_varchar todate todatetime toint32
    toint64 tostartofday tostartofhour tostartofmonth tostring total total_changes toyyyymm
    transaction_timestamp translate trim trunc truncate try_cast try_convert try_parse_json ts_headline ts_rank
    ts_rank_cd tumble typeof ucase unhex unicode uniq uniqexact unistr unix_timestamp unixepoch unnest upper
    user utc_date utc_timestamp uuid uuid_generate_v4 var_pop var_samp variance vec_distance version
    websearch_to_tsquery week weekday weekofyear width_bucket word_similarity xmlagg xmlelement xmlforest xpath
    year yearweek zeroifnull
";

/// Functions that do more than compute, and their effects. A name that ends in `*` is a prefix.
const EFFECTS: &[(&str, &str)] = &[
    ("benchmark", "keeps the server busy"),
    ("cursor_to_xml*", "runs a text as SQL"),
    ("database_to_xml*", "reads the whole database"),
    ("dblink*", "runs a text as SQL on another server"),
    ("dbms_*", "runs packages of the server"),
    ("edit", "starts an editor"),
    ("external_query", "runs a text as SQL on another server"),
    ("get_lock", "takes a lock"),
    ("httpuritype", "reaches other machines"),
    ("http_*", "reaches other machines"),
    ("lo_*", "changes large objects, or copies files of the server"),
    ("load_extension", "loads code"),
    ("load_file", "reads files of the server"),
    ("loread", "reads large objects"),
    ("lowrite", "changes large objects"),
    ("nextval", "moves a sequence"),
    ("opendatasource", "reaches other servers"),
    ("openquery", "runs a text as SQL on another server"),
    ("openrowset", "reads files or other servers"),
    ("pg_advisory_*", "takes a lock"),
    ("pg_cancel_backend", "ends the work of others"),
    ("pg_create_*", "changes the server's state"),
    ("pg_drop_*", "changes the server's state"),
    ("pg_export_snapshot", "changes the server's state"),
    ("pg_file_*", "writes files of the server"),
    ("pg_logical_*", "changes the server's state"),
    ("pg_ls_*", "reads directories of the server"),
    ("pg_notify", "notifies others"),
    ("pg_promote", "changes the server's state"),
    ("pg_read_*", "reads files of the server"),
    ("pg_reload_conf", "changes the server's settings"),
    ("pg_replication_*", "changes the server's state"),
    ("pg_rotate_logfile*", "changes the server's state"),
    ("pg_sleep*", "keeps the server busy"),
    ("pg_stat_file", "reads files of the server"),
    ("pg_stat_reset*", "deletes statistics"),
    ("pg_start_backup", "changes the server's state"),
    ("pg_stop_backup", "changes the server's state"),
    ("pg_switch_*", "changes the server's state"),
    ("pg_terminate_backend", "ends the work of others"),
    ("pg_try_advisory_*", "takes a lock"),
    ("pg_wal_replay_*", "changes the server's state"),
    ("query_to_xml*", "runs a text as SQL"),
    ("read_*", "reads files of the server"),
    ("readfile", "reads files of the server"),
    ("release_lock", "releases a lock"),
    ("set_config", "changes the session's settings"),
    ("setval", "moves a sequence"),
    ("sleep", "keeps the server busy"),
    ("sp_*", "runs a procedure of the server"),
    ("sys_eval", "runs a command"),
    ("sys_exec", "runs a command"),
    ("system$*", "changes the server's state"),
    ("table_to_xml*", "reads whole tables"),
    ("ts_stat", "runs a text as SQL"),
    ("utl_*", "reaches files or other machines"),
    ("writefile", "writes files of the server"),
    ("xp_*", "runs a procedure of the server"),
];

/// The pragmas of SQLite that only read, whatever their argument is.
const TELLING_PRAGMAS: &str = "
    collation_list compile_options database_list foreign_key_check foreign_key_list function_list index_info
    index_list index_xinfo integrity_check module_list pragma_list quick_check table_info table_list table_xinfo
";

/// The pragmas of SQLite that change something even without an argument.
const DOING_PRAGMAS: &str = "
    incremental_vacuum optimize shrink_memory wal_checkpoint
";

/// The kind of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// A keyword before a parenthesis, not a function.
    Word,
    /// A function that only computes.
    Pure,
    /// A function that does more; the text describes its effect.
    Effect(&'static str),
    /// An unknown function.
    Unknown,
}

fn is_in(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}

/// Returns the kind of the function with this name.
pub(super) fn function(name: &str) -> Function {
    let name = name.to_ascii_lowercase();
    let is = |pattern: &str| pattern.strip_suffix('*').map_or(name == pattern, |start| name.starts_with(start));
    if let Some((_, effect)) = EFFECTS.iter().find(|(pattern, _)| is(pattern)) {
        return Function::Effect(effect);
    }
    if is_in(WORDS, &name) {
        Function::Word
    } else if is_in(PURE, &name) {
        Function::Pure
    } else {
        Function::Unknown
    }
}

/// Whether a pragma only reads.
pub(super) fn is_telling_pragma(name: &str, has_argument: bool) -> bool {
    let name = name.to_ascii_lowercase();
    is_in(TELLING_PRAGMAS, &name) || !has_argument && !is_in(DOING_PRAGMAS, &name)
}
