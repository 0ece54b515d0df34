// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 3.25553489 3.2431252 2.87500691 3.15843272 3.37346768 3.37229133 3.14707851 2.94424725 3.2301507
// cost: 147 instructions, 6292858 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>) -> (tensor<9xf32>) {
    %cst = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [1] : (tensor<9x20xf32>, tensor<f32>) -> tensor<9xf32>
     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }
    return %0 : tensor<9xf32>
  }
}
