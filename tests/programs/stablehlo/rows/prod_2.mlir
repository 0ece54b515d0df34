// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: 22.8624516 25.8275852 0.411597013 0.840270698 18.3829842 3.37386584 0.531355619 0.526924729 62.1168365 5.14451075 7.73986101 0.481963754 1.97228158 2.11513591 0.272031158 0.759750485 29.1614723 1.64672148 48.686367 0.144865036 2.56460619 3.14475012 4.64735031 83.8855133 18.1404171 0.3095285 0.324354708
// cost: 3 instructions, 560408 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x9xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
}
