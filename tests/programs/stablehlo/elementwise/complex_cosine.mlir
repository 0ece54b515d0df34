// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 1.33601582 0.538407624 0.971240997 0.272025138 0.823663652 -0.157434329 1.15778887 0.00455911364 0.845284164 -0.281151474 0.978332877 -0.100935109 0.86577034 0.0683774725 0.952211082 -0.237494946
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.cosine %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
