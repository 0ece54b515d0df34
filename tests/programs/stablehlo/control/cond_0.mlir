// tolerance: 0.0001
// in: 0
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -6.0401851 11.5278252 -12.2317565 -4.54714226 -5.35134302 -6.81979311 8.07744637 -8.31583103 -12.3022456 5.97831778 -0.217551321 -4.80477303 -2.9558594 3.8483328 2.48686213 3.25906489
// out: sums 3.59826968 -5.12594817 9.65256838 1.50552664 8.11766447 4.27780081 -6.29594896 0.969754066 5.80119082 -4.71623717 -0.754622601 2.47832115 4.53183967 -6.57958993 -0.361080717 -5.08394958
// cost: 48 instructions, 1458523 ticks
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<20x20xf32>, %arg2: tensor<20x20xf32>) -> (tensor<20x20xf32>, tensor<20x20xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<i1>) -> tensor<i32>
    %1:2 = "stablehlo.case"(%0) ({
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<20x20xf32>
      stablehlo.return %2, %arg2 : tensor<20x20xf32>, tensor<20x20xf32>
    }, {
      %2 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x20xf32>, tensor<20x20xf32>) -> tensor<20x20xf32>
      stablehlo.return %2, %arg1 : tensor<20x20xf32>, tensor<20x20xf32>
    }) : (tensor<i32>) -> (tensor<20x20xf32>, tensor<20x20xf32>)
    return %1#0, %1#1 : tensor<20x20xf32>, tensor<20x20xf32>
  }
}
