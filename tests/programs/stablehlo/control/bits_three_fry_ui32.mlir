// only: evaluated
// in: 1 2
// out: 1 11
// out: 43444564 2150618427 3979645651 3745730563 1672743891 2109414752 618976052 2534981805 3824176357 2868795927 2915202000 3844842626 3159807845 3120200270 299673330
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) {
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  return %t, %b : tensor<2xui64>, tensor<3x5xui32>
}
