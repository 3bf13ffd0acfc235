"""Corpora and tokenizers: those that come with the lab."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Corpus, Tokenization, hookimpl
from lab.text.corpora.datasets import DatasetConfig
from lab.text.corpora.downloads import DownloadConfig
from lab.text.corpora.files import FileConfig, PastedConfig
from lab.text.corpora.mixture import MixtureConfig
from lab.text.row_files.conversations import ConversationsFileConfig
from lab.text.row_files.images import ImagesFolderConfig
from lab.text.row_files.labels import LabelsFileConfig
from lab.text.row_files.pairs import PairsFileConfig
from lab.text.row_files.vectors import VectorsFileConfig
from lab.text.tokenizers.pretrained import PretrainedConfig
from lab.text.tokenizers.subwords import SubwordsConfig
from lab.text.tokenizers.words import WordsConfig

LAB_API_VERSION = 2


@hookimpl
def lab_register_corpora(register: Callable[[Corpus], None]) -> None:
    """Register files, pasted text, downloads, data sets, mixtures, Python's manual, and tables and pictures."""
    register(
        Corpus(
            name="file",
            title="A file or folder",
            build="lab.text.corpora.files:read_file",
            config=FileConfig,
            summary="Your own text, code, table, page or document, or all such files of a folder.",
        )
    )
    register(
        Corpus(
            name="text",
            title="Pasted text",
            build="lab.text.corpora.files:read_pasted",
            config=PastedConfig,
            summary="Text that was pasted or dropped; it is part of the recipe and needs no file.",
        )
    )
    register(
        Corpus(
            name="download",
            title="A download",
            build="lab.text.corpora.downloads:read_download",
            config=DownloadConfig,
            summary="Tiny Shakespeare or a book, downloaded only on request.",
        )
    )
    register(
        Corpus(
            name="dataset",
            title="A data set",
            build="lab.text.corpora.datasets:read_dataset",
            config=DatasetConfig,
            summary="The texts of a Hugging Face data set, from a local folder or file or from the hub.",
        )
    )
    register(
        Corpus(
            name="mixture",
            title="A mixture",
            build="lab.text.corpora.mixture:read_mixture",
            config=MixtureConfig,
            summary="Up to eight corpora of one kind, texts or rows, with weights that may change while a run trains.",
        )
    )
    register(
        Corpus(
            name="python-manual",
            title="Python manual",
            build="lab.text.corpora.manual:read_manual",
            summary="A megabyte of English about Python, collected from the installed Python; needs no network.",
        )
    )
    register(
        Corpus(
            name="pairs-file",
            title="A table of pairs",
            build="lab.text.row_files.pairs:read_pairs",
            kind="pairs",
            config=PairsFileConfig,
            summary="Your own translations, questions and answers, or other pairs: two columns of a table.",
        )
    )
    register(
        Corpus(
            name="labels-file",
            title="A table of labelled texts",
            build="lab.text.row_files.labels:read_labels",
            kind="labels",
            config=LabelsFileConfig,
            summary="Your own texts with a label each, or words with a label each: two columns of a table.",
        )
    )
    register(
        Corpus(
            name="conversations-file",
            title="A table of conversations",
            build="lab.text.row_files.conversations:read_conversations",
            kind="conversations",
            config=ConversationsFileConfig,
            summary="Conversations as lists of messages with roles, of which the model learns to write one.",
        )
    )
    register(
        Corpus(
            name="vectors-file",
            title="A table of numbers",
            build="lab.text.row_files.vectors:read_vectors",
            kind="vectors",
            config=VectorsFileConfig,
            summary="Measurements of your own with a class or a number to predict: the columns of a table.",
        )
    )
    register(
        Corpus(
            name="images-folder",
            title="A folder of pictures",
            build="lab.text.row_files.images:read_images",
            kind="images",
            config=ImagesFolderConfig,
            summary="Your own pictures with a class or a caption each: a folder, a Parquet file or a data set.",
        )
    )


@hookimpl
def lab_register_tokenizers(register: Callable[[Tokenization], None]) -> None:
    """Register characters, bytes, words, learned and pretrained subwords, the symbols of a source, and none."""
    register(
        Tokenization(
            name="character",
            title="Characters",
            build="lab.text.tokenizers.units:fit_characters",
            load="lab.text.tokenizers.units:load_characters",
            summary="One symbol for each different character of the corpus, its validation part included.",
        )
    )
    register(
        Tokenization(
            name="byte",
            title="Bytes",
            build="lab.text.tokenizers.units:fit_bytes",
            load="lab.text.tokenizers.units:load_bytes",
            fitted_to="nothing",
            summary="256 symbols, the bytes of UTF-8: reads every text, as it is fitted to none.",
        )
    )
    register(
        Tokenization(
            name="word",
            title="Words",
            build="lab.text.tokenizers.words:fit_words",
            load="lab.text.tokenizers.words:load_words",
            fitted_to="training",
            config=WordsConfig,
            summary="A symbol for each frequent word with the space before it; others are spelled, so nothing is lost.",
        )
    )
    register(
        Tokenization(
            name="bpe",
            title="Byte pair encoding",
            build="lab.text.tokenizers.subwords:fit_bpe",
            load="lab.text.tokenizers.subwords:load_bpe",
            fitted_to="training",
            config=SubwordsConfig,
            summary="Subwords built from bytes by joining the most frequent pair again and again; reads every text.",
        )
    )
    register(
        Tokenization(
            name="unigram",
            title="Unigram",
            build="lab.text.tokenizers.subwords:fit_unigram",
            load="lab.text.tokenizers.subwords:load_unigram",
            fitted_to="training",
            config=SubwordsConfig,
            summary="A large vocabulary of subwords, pruned of those that help least; reads every text.",
        )
    )
    register(
        Tokenization(
            name="pretrained",
            title="Pretrained tokenizer",
            build="lab.text.tokenizers.pretrained:read_tokenizer",
            load="lab.text.tokenizers.pretrained:load_tokenizer",
            fitted_to="nothing",
            config=PretrainedConfig,
            summary="The subwords of a published model, such as GPT-2 or LLaMA, read from its tokenizer.json.",
        )
    )
    register(
        Tokenization(
            name="symbol",
            title="Symbols of the source",
            build="lab.text.tokenizers.symbols:fit_symbols",
            load="lab.text.tokenizers.symbols:load_symbols",
            fitted_to="nothing",
            summary="The symbols of a generated source; for no other corpus.",
        )
    )
    register(
        Tokenization(
            name="none",
            title="No tokenizer",
            build="lab.text.tokenizers.nothing:fit_nothing",
            load="lab.text.tokenizers.nothing:load_nothing",
            fitted_to="nothing",
            summary="For vectors, and for pictures with classes, in which nothing is text; for no other corpus.",
        )
    )
