"""A server in a process of its own, and how tests talk to it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import openai

MODEL = "random-2x64"
TERMINATED = 143  # as docs/reference/command.md has it


class Process:
    """A server of its own process."""

    def __init__(self, *options, key=None, model=MODEL):
        environment = os.environ | ({"TRAINYARD_API_KEY": key} if key else {})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "trainyard", "serve", model, "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        line = self.process.stdout.readline()
        self.base = re.search(r"http://127\.0\.0\.1:\d+", line)[0]
        self.port = int(self.base.rsplit(":", 1)[1])
        self.client = openai.OpenAI(
            base_url=f"{self.base}/v1", api_key=key or "none", max_retries=0, timeout=120
        )

    @staticmethod
    def refusal(*options, model=MODEL):
        """What a server says that does not start."""
        command = [sys.executable, "-m", "trainyard", "serve", model, "--port", "0", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 2
        return done.stderr

    def get(self, path):
        with urllib.request.urlopen(self.base + path, timeout=60) as answer:
            return answer.read().decode()

    def metric(self, name):
        """The sum over labels."""
        rows = re.findall(rf"^{re.escape(name)}(?:\{{.*\}})? (\S+)$", self.get("/metrics"), re.M)
        assert rows, name
        return sum(map(float, rows))

    def post(self, path, body, headers=None):
        """Status and JSON of a body that no client would send."""
        request = urllib.request.Request(
            self.base + path, body, {"content-type": "application/json"} | (headers or {})
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


def chat(server, text="hello", **options):
    options = {"max_tokens": 6, "temperature": 0} | options
    return server.client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": text}], **options
    )


def complete(server, prompt="hello", **options):
    options = {"max_tokens": 6, "temperature": 0} | options
    return server.client.completions.create(prompt=prompt, **{"model": MODEL} | options)


def wait_until(holds, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)
