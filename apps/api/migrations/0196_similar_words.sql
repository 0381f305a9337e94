create index search_words_similar on search_words using gin (word gin_trgm_ops);
