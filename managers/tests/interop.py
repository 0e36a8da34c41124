"""Matches of `rgc` with players and managers that were written independently, in Python, over the loopback interface.

    interop.py RGC GAMES [MATCHES]

RGC is the program, GAMES the folder of the library. Both protocols are spoken, in both directions, by clients that know connect four by
themselves, and by clients that are slow, silent, lie or die. Needs nothing but Python.
"""

import http.server
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

WIDTH, HEIGHT = 7, 6


class Board:
    """Connect four, written from the rules of the game."""

    def __init__(self):
        self.columns = [[] for _ in range(WIDTH)]
        self.mover = 0

    def legal(self):
        return [x for x in range(WIDTH) if len(self.columns[x]) < HEIGHT]

    def at(self, x, y):
        if 0 <= x < WIDTH and 0 <= y < len(self.columns[x]):
            return self.columns[x][y]
        return None

    def drop(self, x):
        """Makes a move; whether it makes four in a line."""
        self.columns[x].append(self.mover)
        y, mover = len(self.columns[x]) - 1, self.mover
        self.mover = 1 - mover

        def run(dx, dy):
            length = 0
            while self.at(x + dx * (length + 1), y + dy * (length + 1)) == mover:
                length += 1
            return length

        return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))

    def wins(self, x):
        copy = Board()
        copy.columns = [list(column) for column in self.columns]
        copy.mover = self.mover
        return copy.drop(x)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


# The protocol of General Game Playing.


class GgpPlayer(http.server.ThreadingHTTPServer):
    """A player of connect four by HTTP. `fault(number)` says how the answer to the PLAY message with that number is spoilt."""

    daemon_threads = True

    def __init__(self, fault=lambda number: None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault, self.faults, self.number = fault, 0, 0
        self.roles, self.boards, self.lock = {}, {}, threading.Lock()
        self.rng = random.Random(1)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_address[1]}"

    def answer(self, text):
        """The answer to a message, and how it is spoilt."""
        with self.lock:
            words = re.findall(r"\(|\)|[^\s()]+", text.lower())
            kind, match = words[1], words[2] if len(words) > 3 else None
            if kind == "info":
                return "available", None
            if kind == "start":
                self.roles[match], self.boards[match] = ["yellow", "red"].index(words[3]), Board()
                return "READY", None
            board = self.boards.get(match)
            if kind == "abort" or board is None:
                return "DONE", None
            for column in re.findall(r"\(drop (\d)\)", " ".join(words).replace("( ", "(").replace(" )", ")")):
                board.drop(int(column) - 1)
            if kind == "stop":
                del self.boards[match]
                return "DONE", None
            self.number += 1
            is_mine = board.mover == self.roles[match]
            move = f"(drop {self.rng.choice(board.legal()) + 1})" if is_mine and board.legal() else "noop"
            fault = self.fault(self.number)
            self.faults += fault is not None
            return move, fault

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        check(self.headers.get("Content-Type") == "text/acl", "the content is `text/acl`")
        text, fault = self.server.answer(body)
        if fault == "die":
            self.close_connection = True
            self.connection.close()
            return
        if fault == "slow":
            time.sleep(2.2)
        status = 500 if fault == "status" else 200
        text = {"lie": "(drop 9)", "garbage": "))((", "empty": ""}.get(fault, text)
        # In one piece: small pieces would wait for each other.
        head = f"HTTP/1.0 {status} X\r\nContent-Type: text/acl\r\nContent-Length: {len(text)}\r\n\r\n"
        self.wfile.write((head + text).encode())

    def log_message(self, *_):
        pass


def say(address, text, seconds=20):
    request = urllib.request.Request(f"http://{address}/", data=text.encode(), headers={"Content-Type": "text/acl"})
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return answer.read().decode()


class Rgc:
    """A process of the program, with what it writes first."""

    def __init__(self, program, *arguments):
        command = [program, *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def line(self):
        return self.process.stdout.readline().strip()

    def port(self):
        """The port that the program says it listens on."""
        return int(json.loads(self.line())["listening"].rsplit(":", 1)[1])


def run(program, *arguments, code=0):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=3600)
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def ggp_matches(program, games, matches):
    """Two players of `rgc` and one of this file play connect four; the latter fails in all ways."""
    rng = random.Random(7)
    slow = {20, 400}

    def fault(number):
        if number in slow:
            return "slow"
        return rng.choice(["lie", "garbage", "empty", "status", "die"]) if number % 13 == 0 else None

    game = games / "gdl" / "connectFour.gdl"
    python = GgpPlayer(fault)
    joined = [Rgc(program, "join", "--ggp", 0, "--agent", "random", "--seed", seed) for seed in (1, 2)]
    with joined[0] as one, joined[1] as two, tempfile.TemporaryDirectory() as folder:
        players = [one.line().removeprefix("http://"), python.address, two.line().removeprefix("http://")]
        record = Path(folder) / "games.jsonl"
        arguments = ["serve", game, "--ggp", ",".join(players), "--matches", matches, "--start-clock", 20]
        done = run(program, *arguments, "--play-clock", 1, "--json", "--record", record)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        played, totals = rows[:-3], rows[-3:]
        check(len(played) == matches, f"{len(played)} matches")
        for row in played:
            check(sum(map(int, row["scores"])) == 100, f"{row}")
        failures = {total["player"]: total["failures"] for total in totals}
        check(failures[players[0]] == failures[players[2]] == 0, f"{failures}")
        # A lie in a step in which the player has only `noop` counts as well, and so do all other faults.
        check(failures[python.address] == python.faults > 0, f"{failures}, {python.faults} faults")
        run(program, "replay", record, "--quiet")
        print(f"GGP: {matches} matches, {python.faults} faults of the Python player, none of `rgc join`")


def ggp_managers(program, games):
    """Managers that are slow, silent, lie and die: the player is always there for the next one."""
    rules = re.sub(r";.*", "", (games / "gdl" / "connectFour.gdl").read_text())
    with Rgc(program, "join", "--ggp", 0, "--agent", "uct") as player:
        address = player.line().removeprefix("http://")
        check("available" in say(address, "(INFO)"), "a player that waits is available")
        for number in range(3):
            check(say(address, f"(START m{number} red ({rules}) 20 1)") == "READY", "it is ready")
            board, moves = Board(), "NIL"
            while True:
                start = time.monotonic()
                answer = say(address, f"(PLAY m{number} {moves})")
                check(time.monotonic() - start < 1.0, "an answer comes within the clock")
                if board.mover == 1:
                    check(int(answer[6]) - 1 in board.legal() and answer.startswith("(drop "), answer)
                    over, moves = board.drop(int(answer[6]) - 1), f"(noop {answer})"
                else:
                    check(answer == "noop", answer)
                    column = random.Random(number).choice(board.legal())
                    over, moves = board.drop(column), f"((drop {column + 1}) noop)"
                if over or not board.legal() or number == 2 and len(board.columns[0]) > 2:
                    break
            ending = "ABORT" if number == 1 else "STOP"
            check(say(address, f"({ending} m{number} {moves})") in ("DONE", "ABORTED"), "it ends")
        # A manager that goes away in the middle of a message, and one that sends what is no message.
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n(START")
        for wrong in ("", "(((", "(PLAY)", "(DANCE m)", "\x00"):
            try:
                say(address, wrong)
                check(False, f"{wrong!r} was accepted")
            except urllib.error.HTTPError as error:
                check(error.code == 400, f"{error.code}")
        check("available" in say(address, "(INFO)"), "it waits for the next match")
        print("GGP: a Python manager, three matches, and managers that break the protocol")


# The protocol of the RBG game manager.

# Modifiers of games/rbg/connectFour.rbg in the order of the text: a disc, the next player's turn, and the end with its scores.
DISC, TURN, END = (4, 9), ((8,), (13,)), ((5, 6, 7), (10, 11, 12))


def rbg_text(board, x):
    """The move of the next player in numeric form: vertices are numbered from the upper left, row by row."""
    vertex = (HEIGHT - 1 - len(board.columns[x])) * WIDTH + x + 1
    tail = END[board.mover] if board.wins(x) else TURN[board.mover]
    return " ".join(f"{vertex} {modifier}" for modifier in (DISC[board.mover], *tail))


def rbg_column(text):
    return (int(text.split()[0]) - 1) % WIDTH


class RbgWire:
    def __init__(self, connection):
        self.connection, self.rest = connection, b""

    def send(self, text):
        self.connection.sendall(text.encode() + b"\0")

    def receive(self):
        while b"\0" not in self.rest:
            piece = self.connection.recv(65536)
            if not piece:
                raise EOFError
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return message.decode()


class RbgPlayer(threading.Thread):
    """Plays connect four until the manager has gone, and connects anew after a game that it has spoilt."""

    def __init__(self, port, fault):
        super().__init__(daemon=True)
        self.port, self.fault, self.faults, self.games, self.error = port, fault, 0, 0, None

    def run(self):
        try:
            while True:
                self.sit()
        except (EOFError, OSError):
            pass
        except AssertionError as error:
            self.error = error

    def sit(self):
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            wire = RbgWire(connection)
            float(wire.receive())
            check("#rules" in wire.receive(), "the rules are sent")
            seat = int(wire.receive()) - 1
            wire.send("ready")
            rng = random.Random(self.games)
            while True:
                self.games += 1
                if not self.game(wire, seat, rng):
                    return

    def game(self, wire, seat, rng):
        """Plays a game; whether the seat is kept."""
        board, over = Board(), False
        while not over and board.legal():
            said = wire.receive()
            if said == "reset":
                return True
            if board.mover != seat:
                x = rbg_column(said)
                check(said == rbg_text(board, x), f"{said}, expected {rbg_text(board, x)}")
                over = board.drop(x)
                continue
            float(said)
            fault = self.fault()
            if fault:
                self.faults += 1
                if fault == "slow":
                    time.sleep(2.0)
                elif fault != "die":
                    wire.send({"lie": "1 1", "garbage": "\x7f", "long": "7 " * 5000}[fault])
                return False
            x = rng.choice(board.legal())
            wire.send(rbg_text(board, x))
            over = board.drop(x)
        check(wire.receive() == "reset", "a game ends with `reset`")
        return True


def rbg_matches(program, games, matches):
    """A player of `rgc` and one of this file play connect four; the latter fails in all ways."""
    rng, slow = random.Random(3), {40, 2000}
    count = [0]

    def fault():
        count[0] += 1
        if count[0] in slow:
            return "slow"
        return rng.choice(["lie", "garbage", "long", "die"]) if count[0] % 97 == 0 else None

    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "games.jsonl"
        arguments = ["serve", games / "rbg" / "connectFour.rbg", "--rbg", 0, "--matches", matches, "--play-clock", 1]
        with Rgc(program, *arguments, "--start-clock", 20, "--json", "--record", record) as host:
            port = host.port()
            python = RbgPlayer(port, fault)
            python.start()
            with Rgc(program, "join", "--rbg", f"127.0.0.1:{port}", "--agent", "random") as join:
                out, err = host.process.communicate(timeout=3600)
                check(host.process.returncode == 0, f"{out[-500:]}\n{err[-2000:]}")
                rows = [json.loads(line) for line in out.splitlines()]
                played, totals = rows[:-2], rows[-2:]
                check(len(played) == matches, f"{len(played)} games")
                forfeits = sum(1 for row in played if "forfeit" in row)
                for row in played:
                    check("forfeit" in row or sum(map(int, row["scores"])) == 100, f"{row}")
                check(forfeits == python.faults > 0, f"{forfeits} games by forfeit, {python.faults} faults")
                check(python.error is None, f"{python.error}")
                check(sum(total["forfeits"] for total in totals) == forfeits, f"{totals}")
                check(join.process.wait(timeout=20) == 0, "the player of `rgc` ends with the manager")
        run(program, "replay", record, "--quiet")
        print(f"RBG: {matches} games, {forfeits} lost by forfeit, all by the Python player")


def rbg_managers(program, games):
    """A manager in Python, and managers that break the protocol: the player of `rgc` ends with a message."""
    rules = (games / "rbg" / "connectFour.rbg").read_text()

    def meet(manage, code, says=""):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            with Rgc(program, "join", "--rbg", f"127.0.0.1:{port}", "--agent", "uct") as player:
                connection, _ = server.accept()
                with connection:
                    manage(RbgWire(connection))
                out, err = player.process.communicate(timeout=60)
                check(player.process.returncode == code and says in err, f"{player.process.returncode}: {out}{err}")
                return out

    def begin(wire):
        wire.send("20")
        wire.send(rules)
        wire.send("2")
        check(wire.receive() == "ready", "it is ready")

    def two_games(wire):
        begin(wire)
        for number in range(2):
            board, over, rng = Board(), False, random.Random(number)
            while not over and board.legal():
                if board.mover == 0:
                    x = rng.choice(board.legal())
                    wire.send(rbg_text(board, x))
                else:
                    start = time.monotonic()
                    wire.send("0.5")
                    said = wire.receive()
                    check(time.monotonic() - start < 0.6, "a move comes in time")
                    x = rbg_column(said)
                    check(said == rbg_text(board, x), said)
                over = board.drop(x)
            wire.send("reset")

    def lie(wire):
        begin(wire)
        wire.send("1 9 1 13")
        try:
            wire.receive()
        except (EOFError, ConnectionError):
            pass

    def garbage(wire):
        wire.send("soon")

    def no_game(wire):
        wire.send("20")
        wire.send("this is no game")
        wire.send("1")

    check(meet(two_games, 0).strip() == "2 games", "two games are played")
    check(meet(begin, 0).strip() == "0 games", "a manager that goes away ends it")
    meet(lie, 1, "which is not a legal move")
    meet(garbage, 1, "the time to prepare is expected, found `soon`")
    meet(no_game, 1, "cannot play for the manager")
    meet(lambda wire: None, 1, "the connection was closed")
    print("RBG: a Python manager, two games, and managers that break the protocol")


def main():
    program, games = sys.argv[1], Path(sys.argv[2])
    matches = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    for test in (ggp_managers, rbg_managers):
        test(program, games)
    for test in (ggp_matches, rbg_matches):
        start = time.monotonic()
        test(program, games, matches)
        print(f"     {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
