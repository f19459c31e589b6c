# Written by tests/python/stubs_test.py from the tables of the library.
from typing import Any, Optional, Sequence, Union

from numpy.typing import ArrayLike

Number = Union[float, str]  # 0.02, "2 cm", and formulas where a key takes them
Vector = Union[Sequence[Number], ArrayLike]

class Methods:
    def gravity(self, gravity: Vector) -> None: ...
    def collider_velocity(self, collider: str, velocity: Vector, spin: Optional[Vector] = ...) -> None: ...
    def collider_pose(self, collider: str, seconds: float, move: Optional[Vector] = ..., turn: Optional[Vector] = ...) -> None: ...
    def emitter_speed(self, emitter: str, speed: float) -> None: ...
    def force(self, body: str, force: Vector) -> None: ...
    def impulse(self, body: str, impulse: Vector, at: Optional[Vector] = ...) -> None: ...
    def field(self, field: str, particles: ArrayLike, values: ArrayLike) -> None: ...
    def remove_body(self, body: str) -> None: ...
    def remove_collider(self, collider: str) -> None: ...
    def remove_emitter(self, emitter: str) -> None: ...
    def pull(self, stiffness: float, at: Optional[Vector] = ..., to: Optional[Vector] = ..., radius: Optional[float] = ..., seconds: Optional[float] = ...) -> None: ...
    def material(self, material: str, value: float) -> None: ...
    def add_waiting(self, body: str, move: Optional[Vector] = ..., velocity: Optional[Vector] = ...) -> None: ...
    def add_material(
        self,
        name: str,
        *,
        preset: Optional[str] = ...,
        density: Optional[Number] = ...,
        viscosity: Optional[Number] = ...,
        xsph: Optional[Number] = ...,
        model: Optional[str] = ...,
        stiffness: Optional[Number] = ...,
        damping: Optional[Number] = ...,
        friction: Optional[Number] = ...,
        restitution: Optional[Number] = ...,
        young: Optional[Number] = ...,
        poisson: Optional[Number] = ...,
        law: Optional[str] = ...,
        volume_stiffness: Optional[Number] = ...,
        strain_damping: Optional[Number] = ...,
        hourglass: Optional[Number] = ...,
        yield_strain: Optional[Number] = ...,
        creep_rate: Optional[Number] = ...,
        plastic_max: Optional[Number] = ...,
        renew_strain: Optional[Number] = ...,
        integrator: Optional[str] = ...,
        order: Optional[Number] = ...,
        gradient: Optional[str] = ...,
        support: Optional[Number] = ...,
        strength: Optional[Number] = ...,
        toughness: Optional[Number] = ...,
        crack_speed: Optional[Number] = ...,
        transparency: Optional[Number] = ...,
        weak_spots: Optional[Number] = ...,
        split_min: Optional[Number] = ...,
        split_most: Optional[Number] = ...,
        solid_density: Optional[Number] = ...,
        lattice_damping: Optional[Number] = ...,
        docking_rate: Optional[Number] = ...,
        docking_gain: Optional[Number] = ...,
        surface_tension: Optional[Number] = ...,
        contact_angle: Optional[Number] = ...,
        interface_tension: Optional[Number] = ...,
        conductivity: Optional[Number] = ...,
        heat_capacity: Optional[Number] = ...,
        melting_point: Optional[Number] = ...,
        freezing_point: Optional[Number] = ...,
        latent_heat: Optional[Number] = ...,
        melting_rate: Optional[Number] = ...,
        freezing_rate: Optional[Number] = ...,
        freezing_neighbours: Optional[Number] = ...,
        freezing_speed: Optional[Number] = ...,
        freezing_force: Optional[Number] = ...,
        viscosity_slope: Optional[Number] = ...,
        colour: Optional[Any] = ...,
        colour_depth: Optional[Number] = ...,
        absorption: Optional[Vector] = ...,
    ) -> None: ...
    def add_body(
        self,
        name: str,
        *,
        material: Optional[str] = ...,
        shape: Optional[Any] = ...,
        fill: Optional[str] = ...,
        velocity: Optional[Vector] = ...,
        spin: Optional[Vector] = ...,
        pressure: Optional[Number] = ...,
        temperature: Optional[Number] = ...,
        copies: Optional[Any] = ...,
        fixed: Optional[bool] = ...,
        hinge: Optional[Any] = ...,
        waits: Optional[bool] = ...,
        grading: Optional[Number] = ...,
        hold: Optional[Any] = ...,
        load: Optional[Any] = ...,
        orientation: Optional[Vector] = ...,
        skin: Optional[bool] = ...,
        cracks: Optional[Any] = ...,
    ) -> None: ...
    def add_collider(
        self,
        name: str,
        *,
        shape: Optional[Any] = ...,
        motion: Optional[Any] = ...,
        friction: Optional[Number] = ...,
        surface_velocity: Optional[Vector] = ...,
        temperature: Optional[Number] = ...,
        visible: Optional[bool] = ...,
        look: Optional[str] = ...,
        colour: Optional[Any] = ...,
    ) -> None: ...
    def add_emitter(
        self,
        name: str,
        *,
        material: Optional[str] = ...,
        centre: Optional[Vector] = ...,
        direction: Optional[Vector] = ...,
        radius: Optional[Number] = ...,
        size: Optional[Vector] = ...,
        speed: Optional[Number] = ...,
        temperature: Optional[Number] = ...,
        start: Optional[Number] = ...,
        end: Optional[Number] = ...,
        most: Optional[Number] = ...,
    ) -> None: ...
    def add_drain(
        self,
        name: str,
        *,
        shape: Optional[Any] = ...,
        start: Optional[Number] = ...,
        end: Optional[Number] = ...,
    ) -> None: ...
    def add_force(
        self,
        name: str,
        *,
        acceleration: Optional[Vector] = ...,
        damping: Optional[Number] = ...,
        heating: Optional[Number] = ...,
        shape: Optional[Any] = ...,
        start: Optional[Number] = ...,
        end: Optional[Number] = ...,
    ) -> None: ...
    def add_probe(
        self,
        name: str,
        *,
        kind: Optional[str] = ...,
        of: Optional[str] = ...,
        from_: Optional[Vector] = ...,
        to: Optional[Vector] = ...,
        count: Optional[Number] = ...,
        interval: Optional[Number] = ...,
    ) -> None: ...
    def add_lamp(
        self,
        name: str,
        *,
        kind: Optional[str] = ...,
        centre: Optional[Vector] = ...,
        direction: Optional[Vector] = ...,
        radius: Optional[Number] = ...,
        size: Optional[Vector] = ...,
        angle: Optional[Number] = ...,
        colour: Optional[Any] = ...,
        power: Optional[Number] = ...,
        irradiance: Optional[Number] = ...,
    ) -> None: ...
