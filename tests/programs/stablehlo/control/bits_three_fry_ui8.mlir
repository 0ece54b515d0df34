// only: evaluated
// in: 1 2
// out: 1 11
// out: 84 211 211 96 173 23 208 101 242 59 3 97 52 229 49 130 78 76
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x9xui8>) {
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x9xui8>)
  return %t, %b : tensor<2xui64>, tensor<2x9xui8>
}
