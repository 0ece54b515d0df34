// in: draw 1 0 1 4294967296
// out: 206200243 3270170436 151797641 3633094645 2045884879 680205284 867674749 1578732889 1070830530 3251066111 694858168 592082191 1142380605 1632654410
// out: 3331679331 2207440708 3452437089 1921819095 748629583 2272115327 559597028 4235845398 1605552359 1669211319 2284868028 4149356819 2234533282 3446402482 1421473386 2594158922 4252778339 376627058 220187889 671203263 457690372 1674867200 3468631157 3867313936 132206421 1076444386 332640235 3445117457 3125925672 3134023904
// out: 0 801112064 0 2415919104 0 0 0 1526726656 0 4160749568 1073741824 4281204736 706740224 1073741824
// cost: 42 instructions, 3056327 ticks
module {
  func.func public @main(%arg0: tensor<14x30xui32>) -> (tensor<14xui32>, tensor<30xui32>, tensor<14xui32>) {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<14x30xui32>, tensor<ui32>) -> tensor<14xui32>
    %c_0 = stablehlo.constant dense<7> : tensor<ui32>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.xor across dimensions = [0] : (tensor<14x30xui32>, tensor<ui32>) -> tensor<30xui32>
    %c_1 = stablehlo.constant dense<3> : tensor<ui32>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.multiply across dimensions = [1] : (tensor<14x30xui32>, tensor<ui32>) -> tensor<14xui32>
    return %0, %1, %2 : tensor<14xui32>, tensor<30xui32>, tensor<14xui32>
  }
}
