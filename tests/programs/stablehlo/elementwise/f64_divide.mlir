// tolerance: 1e-12
// only: evaluated
// in: draw 1 0.5 0.0078125 257
// in: draw 2 0.75 0.0078125 257
// out: 2.5 0.38953488372093026 0.91111111111111109 1.1898148148148149 0.42745098039215684 0.50961538461538458 0.72900763358778631 2.5784313725490198 0.80620155038759689
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %z = stablehlo.divide %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}
