"""The generated benchmark: a fictional region in CRAG-MM's shape, deterministic by seed.

`generate` writes a world folder; `audit` checks one; `sheet` shows one. Towns, people, makers and entities with typed
facts are made in `region` and `notices`; `pages` writes about them and records where each fact stands; `drawing` makes
their pictures; `questions`, `notice_questions`, `reasoning` and `conversations` ask; `gold` says what is right and
what it rests on. All language is in `data/*.json`. The assistant never imports anything from here.

Four domains so far: book, food, shopping, text understanding.
"""
